import type { Dataset } from "../registry/datasets.ts";
import { ROW_DAY } from "../registry/sources.ts";
import type { Meanings, UnknownValues } from "./checks/coded-values.ts";
import type { OddDates } from "./checks/file-dates.ts";
import type { RowCounts } from "./checks/row-counts.ts";
import { isoDay } from "./read/plain-day.ts";
import type { StagedFile } from "./stage.ts";

/** Statistics of a dataset's rows. They are stored in table source; the next import's checks compare with them. */
export interface Profile {
  rows: number;
  /** The newest date of a row up to the day of the import; null when the file has no such dates. */
  newestRowOn: string | null;
  /** Number of rows by state; rows without a state are not counted. */
  byState: Record<string, number>;
  /** By column, the share of rows (0 to 1) in which it is filled; for a yes/no column, in which it is yes. */
  filledShare: Record<string, number>;
  /** Rows with unknown values, by coded column. Profiles of older releases lack this and the fields below. */
  unknownValues?: UnknownValues;
  /** Number of rows by meaning, by coded column. */
  meanings?: Meanings;
  /** Rows that were read, including rows left out. */
  rowsRead?: number;
  dates?: Record<string, OddDates>;
  /** Rows left out, by reason. */
  rejected?: Record<string, number>;
  /** Fingerprint (unchanged.ts) and statistics of the file, used when it comes again unchanged. */
  file?: { fingerprint: string; staged: StagedFile };
}

// Other dates may be later than the file, such as those on which orders and policies take effect.
const DAYS: Partial<Record<Dataset, readonly string[]>> = {
  ...Object.fromEntries(Object.entries(ROW_DAY).map(([dataset, column]) => [dataset, [column]])),
  legacy_authhist: ["action_on", "final_on"],
  legacy_revocation: ["served_on"],
  legacy_actpendinsur: ["filed_on"],
};

/** The profile of counted rows; `columns` are the names of their cells. */
export function profileOf(dataset: Dataset, columns: readonly string[], counts: RowCounts): Profile {
  const days = DAYS[dataset] ?? [];
  const newest = Math.max(
    counts.newestNoted,
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
