import type { Removal } from "../../registry/merge.ts";
import type { CodedValues } from "../checks/coded-values.ts";
import type { FileDates } from "../checks/file-dates.ts";
import type { CopyLines } from "../read/copy-lines.ts";
import type { Tally } from "../tally.ts";

/** Writes the cells of one record's row; false when the row is left out. */
export type RowReader = (line: CopyLines) => boolean;

/** What reading a file's rows needs to know, and where it leaves what is no row. */
interface RowReaderOptions {
  /** The day the files are read for, YYYY-MM-DD. */
  today: string;
  tally: Tally;
  isDifference: boolean;
  coded: CodedValues;
  dates: FileDates;
  /** Takes what a daily difference takes back. */
  removals: Removal[];
}

/** How the files of one dataset are read. */
export interface DatasetReader {
  /** The table's columns, in the order in which a row's cells are written. A table without a key also has row_id. */
  tableColumns: readonly string[];
  /** Opens one file: `at` gives the index of a used column in its records. */
  open(at: (column: string) => number, options: RowReaderOptions): RowReader;
}

const YEARS_AHEAD = 2;

/** The last day a row may be dated. Later years are typing mistakes: 2517 was seen. */
export const latestDate = (today: string): string =>
  `${Number(today.slice(0, 4)) + YEARS_AHEAD}${today.slice(4)}`;

/** The same answers again for the few hundred wordings that fill a file of millions of rows. */
export function remembered<T>(answer: (wording: string) => T): (wording: string) => T {
  const known = new Map<string, T>();
  return (wording) => {
    const before = known.get(wording);
    if (before !== undefined) return before;
    const now = answer(wording);
    // A file of nothing but different wordings must not fill the memory.
    if (known.size < 10_000) known.set(ownCopy(wording), now);
    return now;
  };
}

/** A field is a part of its block of the file, all of which it would keep in memory. */
const ownCopy = (text: string): string => Buffer.from(text).toString();
