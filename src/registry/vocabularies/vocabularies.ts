import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { AuthorityClass } from "../authority-classes.ts";

/** A coded column of a registry file, as `motus_authhist.REASON`. */
export type CodedColumn = `${string}.${string}`;

/** What a value means when no entry of its vocabulary matches. */
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

/** The file as it is written: what was worked out by other vocabularies has to be worked out again. */
export const vocabulariesText = readFileSync(new URL("vocabularies.yaml", import.meta.url), "utf8");

const vocabularies = parse(vocabulariesText) as Vocabulary[];

const byColumn: ReadonlyMap<CodedColumn, Vocabulary> = new Map(
  vocabularies.flatMap((vocabulary) => vocabulary.columns.map((column) => [column, vocabulary])),
);

/** What a value of a coded column means (vocabularies.yaml); UNKNOWN for one that is not listed there. */
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

/** The class of a Motus authority by its wording; UNKNOWN for a wording not met before. */
export const motusAuthorityClass = (opAuthType: string): AuthorityClass | typeof UNKNOWN =>
  meaningOf("motus_carrier.OP_AUTH_TYPE", opAuthType) as AuthorityClass | typeof UNKNOWN;

/**
 * The class a legacy history row speaks of: by its docket for freight forwarders, else by the wording of its decade.
 * `carrier` is every carrier class of the docket, where the wording (bare COMMON or CONTRACT) tells no more.
 */
export const legacyAuthorityClass = (
  docket: string,
  opAuthType: string,
): AuthorityClass | "carrier" | typeof UNKNOWN =>
  docket.startsWith("FF")
    ? "freight_forwarder"
    : (meaningOf("legacy_authhist.OP_AUTH_TYPE", opAuthType) as AuthorityClass | "carrier" | typeof UNKNOWN);
