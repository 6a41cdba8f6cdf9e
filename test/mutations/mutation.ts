import { type RegistryFile, type Table, tableOf, textOf } from "./registry-file.ts";

/** One change of a day's files, harmful or not. */
export interface Mutation {
  name: string;
  files: readonly RegistryFile[];
  /** Returns the changed text of a file. */
  change: (text: string, others: OtherTexts, file: RegistryFile) => string;
  /** The changed file has the same facts: it must be accepted, with the same result. */
  isHarmless?: boolean;
  /** Removes the proof that a policy was replaced, so that a lapse is the right result. */
  removesReplacement?: boolean;
  /** The changed column and its new word: a refusal for unknown values must name both. */
  column?: string;
  word?: string;
}

/** The texts of the same file on the first day, and in another registry. */
interface OtherTexts {
  firstDay: string;
  otherRegistry: string;
}

/** A change of a file's rows and columns. */
export const onTable =
  (change: (table: Table) => Table): Mutation["change"] =>
  (text, _others, file) =>
    textOf(change(tableOf(file, text)));

/** A change of each value of one column. */
export const onColumn = (
  name: string,
  change: (value: string, row: string[], index: number) => string,
): Mutation["change"] =>
  onTable((table) => {
    const at = positionOf(table, name);
    return {
      ...table,
      rows: table.rows.map((row, index) => row.with(at, change(row[at] ?? "", row, index))),
    };
  });

export function positionOf({ columns }: Table, name: string): number {
  const at = columns.indexOf(name);
  if (at === -1) throw new Error(`no column ${name} among ${columns.join(", ")}`);
  return at;
}

/** The UTF-8 bytes of a text as Latin-1, one character per byte. */
export const bytesOf = (text: string): string => Buffer.from(text).toString("latin1");
