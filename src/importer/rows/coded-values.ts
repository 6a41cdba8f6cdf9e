import { withoutEmails } from "../../registry/contacts/contact.ts";
import type { Dataset } from "../../registry/datasets.ts";
import { cleanText } from "../../registry/registry-text.ts";
import { type CodedColumn, meaningOf, UNKNOWN } from "../../registry/vocabularies/vocabularies.ts";

/** By column, the number of rows of each unknown value of a coded column. */
export type UnknownValues = Record<string, Record<string, number>>;

/** Maximum of different unknown values; the rest is counted as one value. */
const MOST_VALUES = 100;
const LONGEST_VALUE = 120;
const OTHERS = "(others)";

/** By column, the number of rows of each meaning. */
export type Meanings = Record<string, Record<string, number>>;

/** Reads the coded columns of one file, and counts meanings and unknown values. */
export class CodedValues {
  readonly unknown: UnknownValues = {};
  readonly meanings: Meanings = {};
  /** By column of amounts, the number of rows that count in another unit. */
  readonly otherUnits: Record<string, number> = {};
  readonly #dataset: Dataset;

  constructor(dataset: Dataset) {
    this.#dataset = dataset;
  }

  /** A reader of a column: returns the meaning of a value (registry/vocabularies), and counts meanings and unknown values. */
  of(column: string): (raw: string | undefined) => string {
    const name: CodedColumn = `${this.#dataset}.${column}`;
    const meaning = remembered((value) => meaningOf(name, value));
    const counts: Record<string, number> = {};
    this.meanings[column] = counts;
    return (raw) => {
      const means = meaning(raw ?? "");
      counts[means] = (counts[means] ?? 0) + 1;
      if (means === UNKNOWN) this.countUnknown(column, raw);
      return means;
    };
  }

  countOtherUnit(column: string): void {
    this.otherUnits[column] = (this.otherUnits[column] ?? 0) + 1;
  }

  /** Counts a value that cannot be read. */
  countUnknown(column: string, raw: string | undefined): void {
    // Without what each object has by itself, such as `constructor`.
    this.unknown[column] ??= Object.create(null);
    const values = this.unknown[column] as Record<string, number>;
    const value = withoutEmails(cleanText(raw) ?? "").slice(0, LONGEST_VALUE);
    const key = value in values || Object.keys(values).length < MOST_VALUES ? value : OTHERS;
    values[key] = (values[key] ?? 0) + 1;
  }
}

/** Caches a function's results: files of millions of rows have only a few hundred wordings. */
export function remembered<T>(answer: (wording: string) => T): (wording: string) => T {
  const known = new Map<string, T>();
  return (wording) => {
    const before = known.get(wording);
    if (before !== undefined) return before;
    const now = answer(wording);
    // Without a limit a file with only different wordings would fill the memory.
    if (known.size < 10_000) known.set(ownCopy(wording), now);
    return now;
  };
}

/** Copies a field: a substring would keep its whole block in memory. */
const ownCopy = (text: string): string => Buffer.from(text).toString();
