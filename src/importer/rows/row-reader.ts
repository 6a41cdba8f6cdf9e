import type { RemovalKey } from "../../registry/merge.ts";
import type { CodedValues } from "../checks/coded-values.ts";
import type { FileDates } from "../checks/file-dates.ts";
import type { CopyLines } from "../read/copy-lines.ts";
import type { Tally } from "../tally.ts";

/** Writes the cells of one record's row; false when the row is left out. */
export type RowReader = (line: CopyLines) => boolean;

/** The settings of reading a file's rows, and where everything that is not a row is collected. */
interface RowReaderOptions {
  /** The day of the import, YYYY-MM-DD. */
  today: string;
  tally: Tally;
  isDifference: boolean;
  coded: CodedValues;
  dates: FileDates;
  /** Collects the keys whose rows a daily difference removes. */
  removalKeys: RemovalKey[];
}

/** How the files of one dataset are read. */
export interface DatasetReader {
  /** The table's columns in the order of a row's cells. A table without a key also has row_id. */
  tableColumns: readonly string[];
  /** Opens one file: `at` returns the index of a column in its records. */
  open(at: (column: string) => number, options: RowReaderOptions): RowReader;
}

const YEARS_AHEAD = 2;

/** The latest valid date of a row. Later years are typing mistakes: 2517 occurs. */
export const latestDate = (today: string): string =>
  `${Number(today.slice(0, 4)) + YEARS_AHEAD}${today.slice(4)}`;

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
