import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { AuthorityClass } from "../authority-classes.ts";

/** A coded column of a registry file, such as `motus_authhist.REASON`. */
export type CodedColumn = `${string}.${string}`;

/** The meaning of a value that matches no entry of its vocabulary. */
export const UNKNOWN = "unknown";

interface Word {
  means: string;
  is?: string;
  begins?: string;
  contains?: string[];
  without?: string[];
  form?: string;
}

interface Vocabulary {
  columns: CodedColumn[];
  about: string;
  words: Word[];
}

/** The text of the file: authorities that were computed with other vocabularies must be computed again. */
export const vocabulariesText = readFileSync(new URL("vocabularies.yaml", import.meta.url), "utf8");

const vocabularies = parse(vocabulariesText) as Vocabulary[];

const byColumn: ReadonlyMap<CodedColumn, Vocabulary> = new Map(
  vocabularies.flatMap((vocabulary) => vocabulary.columns.map((column) => [column, vocabulary])),
);

/** The meaning of a coded column's value (vocabularies.yaml); UNKNOWN when it is not listed there. */
export function meaningOf(column: CodedColumn, value: string | null): string {
  const vocabulary = byColumn.get(column);
  if (!vocabulary) throw new Error(`${column} has no vocabulary`);
  const text = (value ?? "")
    .toUpperCase()
    .replace(/[^A-Z0-9#]+/g, " ")
    .trim();
  return vocabulary.words.find((word) => matches(word, text))?.means ?? UNKNOWN;
}

function matches({ is, begins, contains = [], without = [], form }: Word, text: string): boolean {
  if (is !== undefined && text !== is) return false;
  if (begins !== undefined && !text.startsWith(begins)) return false;
  if (form !== undefined && !new RegExp(`^${form}$`).test(text)) return false;
  return contains.every((part) => text.includes(part)) && !without.some((part) => text.includes(part));
}

/** The class of a Motus authority by its wording; UNKNOWN for an unlisted wording. */
export const motusAuthorityClass = (opAuthType: string): AuthorityClass | typeof UNKNOWN =>
  meaningOf("motus_carrier.OP_AUTH_TYPE", opAuthType) as AuthorityClass | typeof UNKNOWN;

/**
 * The class of a legacy history row: by its docket for freight forwarders, else by its wording, which changed over the
 * decades. `carrier` means every carrier class of the docket: the wording is only COMMON or CONTRACT.
 */
export const legacyAuthorityClass = (
  docket: string,
  opAuthType: string,
): AuthorityClass | "carrier" | typeof UNKNOWN =>
  docket.startsWith("FF")
    ? "freight_forwarder"
    : (meaningOf("legacy_authhist.OP_AUTH_TYPE", opAuthType) as AuthorityClass | "carrier" | typeof UNKNOWN);
