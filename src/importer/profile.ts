import type { Dataset } from "../registry/datasets.ts";
import { ROW_DAY } from "../registry/sources.ts";
import type { Meanings, UnknownValues } from "./checks/coded-values.ts";
import type { OddDates } from "./checks/file-dates.ts";
import type { RowCounts } from "./checks/row-counts.ts";
import { isoDay } from "./read/plain-day.ts";
import type { StagedFile } from "./stage.ts";

/** What a dataset's rows are like as a whole; kept in table source and compared with by the next import's checks. */
export interface Profile {
  rows: number;
  /** The newest day a row came to be that is not after the day of the import; null where the file tells none. */
  newestRowOn: string | null;
  /** Rows by state; those without one not counted. */
  byState: Record<string, number>;
  /** By column, the share of rows (0 to 1) in which it is filled; for a yes/no column, in which it says yes. */
  filledShare: Record<string, number>;
  /** Rows of unknown values of coded columns; absent in profiles of older programs, as are those below. */
  unknownValues?: UnknownValues;
  /** Rows by what their coded columns mean. */
  meanings?: Meanings;
  /** Rows that were read, those left out too. */
  rowsRead?: number;
  dates?: Record<string, OddDates>;
  /** Rows left out, by reason. */
  rejected?: Record<string, number>;
  /** The file as it was read, for one that may come again the same. */
  file?: { fingerprint: string; staged: StagedFile };
}

// Other dates, as those on which orders and policies take effect, may lie ahead of the file.
const DAYS: Partial<Record<Dataset, readonly string[]>> = {
  ...Object.fromEntries(Object.entries(ROW_DAY).map(([dataset, column]) => [dataset, [column]])),
  legacy_authhist: ["action_on", "final_on"],
  legacy_revocation: ["served_on"],
  legacy_actpendinsur: ["filed_on"],
};

/** The profile of the rows that were counted; `columns` are the names of their cells. */
export function profileOf(dataset: Dataset, columns: readonly string[], counts: RowCounts): Profile {
  const days = DAYS[dataset] ?? [];
  const newest = Math.max(
    counts.newestNoted,
    ...days.map((name) => counts.newestDays[columns.indexOf(name)] ?? 0),
  );
  const shares = columns.map((name, place) => [name, (counts.filled[place] ?? 0) / Math.max(counts.rows, 1)]);
  return {
    rows: counts.rows,
    newestRowOn: newest === 0 ? null : isoDay(newest),
    byState: counts.byState(),
    filledShare: Object.fromEntries(shares),
  };
}
