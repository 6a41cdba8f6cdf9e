import { withoutEmails } from "../../registry/contacts/contact.ts";
import type { Dataset } from "../../registry/datasets.ts";
import { cleanText } from "../../registry/registry-text.ts";
import { type CodedColumn, meaningOf, UNKNOWN } from "../../registry/vocabularies/vocabularies.ts";
import { remembered } from "../rows/row-reader.ts";

/** Rows by value, of the values of a file's coded columns that mean nothing to us; by column. */
export type UnknownValues = Record<string, Record<string, number>>;

/** More different unknown values than this are no list of codes any more: the rest is counted as one. */
const MOST_VALUES = 100;
const LONGEST_VALUE = 120;
const OTHERS = "(others)";

/** Rows by meaning, by column. */
export type Meanings = Record<string, Record<string, number>>;

/** Reads the coded columns of one file, and counts what its values mean and what it does not know. */
export class CodedValues {
  readonly unknown: UnknownValues = {};
  readonly meanings: Meanings = {};
  readonly #dataset: Dataset;

  constructor(dataset: Dataset) {
    this.#dataset = dataset;
  }

  /** Reads the values of a column: what each means (carriers/vocabularies.yaml), UNKNOWN ones counted. */
  of(column: string): (raw: string | undefined) => string {
    const name: CodedColumn = `${this.#dataset}.${column}`;
    const meaning = remembered((value) => meaningOf(name, value));
    const counts: Record<string, number> = {};
    this.meanings[column] = counts;
    return (raw) => {
      const means = meaning(raw ?? "");
      counts[means] = (counts[means] ?? 0) + 1;
      if (means === UNKNOWN) this.#count(column, raw);
      return means;
    };
  }

  #count(column: string, raw: string | undefined): void {
    this.unknown[column] ??= {};
    const values = this.unknown[column];
    const value = withoutEmails(cleanText(raw) ?? "").slice(0, LONGEST_VALUE);
    const key = value in values || Object.keys(values).length < MOST_VALUES ? value : OTHERS;
    values[key] = (values[key] ?? 0) + 1;
  }
}
