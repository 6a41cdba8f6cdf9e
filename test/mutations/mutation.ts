import { type RegistryFile, type Table, tableOf, textOf } from "./registry-file.ts";

/** One way in which a day's files can come wrong, or merely otherwise. */
export interface Mutation {
  name: string;
  files: readonly RegistryFile[];
  /** The file's new text, from its right one. */
  change: (text: string, others: OtherTexts, file: RegistryFile) => string;
  /** Nothing is said otherwise by the changed file: it has to be taken, with the very same outcome. */
  isHarmless?: boolean;
  /** Takes away the proof that a policy was replaced: a lapse that follows is what the files say. */
  takesProof?: boolean;
  /** The column that was changed, and the word that was put in: a refusal for unknown values names both. */
  column?: string;
  word?: string;
}

/** The same file on the first day, and in a registry of other companies. */
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

/** A text outside ASCII as the bytes of its UTF-8, a character each. */
export const bytesOf = (text: string): string => Buffer.from(text).toString("latin1");
