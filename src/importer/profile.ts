import type { Dataset } from "../registry/datasets.ts";
import { ROW_DAY } from "../registry/sources.ts";
import type { Meanings, UnknownValues } from "./checks/coded-values.ts";
import type { OddDates } from "./checks/file-dates.ts";
import type { RowCounts } from "./checks/row-counts.ts";
import { isoDay } from "./read/plain-day.ts";
import type { StagedFile } from "./stage.ts";

/** Statistics of a dataset's rows, stored in the table source. The checks of the next import compare with them. */
export interface Profile {
  rows: number;
  /** The newest day of a row, up to the day of the import; null if the file has none. */
  newestRowOn: string | null;
  /** Rows by state, without rows that have none. */
  byState: Record<string, number>;
  /** The share of rows (0 to 1) in which each column is filled, or is yes if it is a yes/no column. */
  filledShare: Record<string, number>;
  /** Rows of unknown values of coded columns. This and the fields below are absent in profiles of older programs. */
  unknownValues?: UnknownValues;
  /** Rows by the meaning of their coded columns. */
  meanings?: Meanings;
  /** All rows that were read, with those left out. */
  rowsRead?: number;
  dates?: Record<string, OddDates>;
  /** Rows left out, by reason. */
  rejected?: Record<string, number>;
  /** The SHA-256 of the file's bytes, in hex. */
  sha256?: string;
  /** The file, if the next import may get the same file again. */
  file?: { fingerprint: string; staged: StagedFile };
}

// Other dates, such as those on which orders and policies take effect, may be in the future.
const DAYS: Partial<Record<Dataset, readonly string[]>> = {
  ...Object.fromEntries(Object.entries(ROW_DAY).map(([dataset, column]) => [dataset, [column]])),
  legacy_authhist: ["action_on", "final_on"],
  legacy_revocation: ["served_on"],
  legacy_actpendinsur: ["filed_on"],
  oos_order: ["ordered_on", "rescinded_on"],
};

/** The profile of the counted rows; `columns` are the names of their cells. */
export function profileOf(dataset: Dataset, columns: readonly string[], counts: RowCounts): Profile {
  const days = DAYS[dataset] ?? [];
  const newest = Math.max(
    counts.newestAdded,
    ...days.map((name) => counts.newestDays[columns.indexOf(name)] ?? 0),
  );
  const shares = columns.map((name, index) => [name, (counts.filled[index] ?? 0) / Math.max(counts.rows, 1)]);
  return {
    rows: counts.rows,
    newestRowOn: newest === 0 ? null : isoDay(newest),
    byState: counts.byState(),
    filledShare: Object.fromEntries(shares),
  };
}
