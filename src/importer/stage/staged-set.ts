import { type Dataset, isDifferenceOf } from "../../registry/datasets.ts";
import type { RemovalKey, StagedRows } from "../../registry/merge/merge.ts";
import { stagedColumns } from "../official/official-files.ts";
import type { SkippedFile } from "../read/folder.ts";
import { latestDayOf, type ManifestEntry } from "../read/manifest.ts";
import { isoDay } from "../read/plain-day.ts";
import type { RowCounts } from "../read/row-counts.ts";
import type { UnexpectedColumns } from "../recognise/dataset-inputs.ts";
import type { Meanings, UnknownValues } from "../rows/coded-values.ts";
import type { OddDates } from "../rows/days.ts";
import { type OfficialFile, tableColumns } from "../rows/official-file.ts";

/** The findings of reading a file. Reports and profiles of older programs lack some of them. */
interface Findings {
  /** All rows that were read, with those left out. */
  rowsRead?: number;
  /** Rows left out, by reason. */
  rejected?: Record<string, number>;
  /** The SHA-256 of the file on disk, in hex. */
  sha256?: string;
  /** Unknown values of coded columns, with their number of rows. */
  unknownValues?: UnknownValues;
  /** By column of amounts, the rows whose amount is plausible only in another unit. */
  otherUnits?: Record<string, number>;
  /** The forms in which its date columns are written. */
  dates?: Record<string, OddDates>;
}

/** A file that was read into its staging table. */
export interface StagedFile extends Findings {
  file: string;
  dataset: Dataset;
  rowsRead: number;
  /** Rows in the staging table. */
  kept: number;
  /** Rows left out because they equal an earlier row. */
  duplicates: number;
  rejected: Record<string, number>;
  /** Values of kept rows that were corrected or dropped, by reason. */
  repaired: Record<string, number>;
  newestRowOn: string | null;
  /** Of the file on disk, maybe compressed. */
  sizeBytes: number;
  /** The differences between its header and the documented one. */
  unexpected?: UnexpectedColumns;
  /** Its entry in the folder's manifest. */
  noted?: ManifestEntry;
}

/** Statistics of a dataset's rows, stored in the table source. The checks of the next import compare with them. */
export interface Profile extends Findings {
  rows: number;
  /** The newest day of a row, up to the day of the import; null if the file has none. */
  newestRowOn: string | null;
  /** Rows by state, without rows that have none. */
  byState: Record<string, number>;
  /** The share of rows (0 to 1) in which each column is filled, or is yes if it is a yes/no column. */
  filledShare: Record<string, number>;
  /** Rows by the meaning of their coded columns. */
  meanings?: Meanings;
  /** The file, if the next import may get the same file again. */
  file?: { fingerprint: string; staged: StagedFile };
}

/** The keys of a file's rows whose cells are in the wrong columns. They were left out. */
export interface OddRows {
  usdots: number[];
  dockets: string[];
}

/** A folder's rows in the staging tables. */
export interface StagedSet {
  files: StagedFile[];
  skipped: SkippedFile[];
  /** The newest day of a row, up to `today`, of each live dataset in the folder; null if there is none. */
  newestByDataset: Map<Dataset, string | null>;
  profiles: Map<Dataset, Profile>;
  /** The Motus files are daily differences. */
  isDifference: boolean;
  /** Datasets whose file is the same as in the last import: they are not staged. */
  unchanged: Set<Dataset>;
  oddRows: Map<Dataset, OddRows>;
  /** The legacy registry's history is in the Motus files for the first time, as checkStaged found. */
  hasHistoryMoved?: boolean;
  /** The keys whose rows the daily differences remove, by dataset. */
  removalKeys: Map<Dataset, RemovalKey[]>;
}

/** The statistics of a file's counted rows. */
export function profileOf(official: OfficialFile, counts: RowCounts): Profile {
  const { dated = [] } = official;
  const columns = tableColumns(official);
  const newest = Math.max(0, ...dated.map((name) => counts.newestDays[columns.indexOf(name)] ?? 0));
  const shares = columns.map((name, index) => [name, (counts.filled[index] ?? 0) / Math.max(counts.rows, 1)]);
  return {
    rows: counts.rows,
    newestRowOn: newest === 0 ? null : isoDay(newest),
    byState: counts.byState(),
    filledShare: Object.fromEntries(shares),
  };
}

/** The last day, up to the day of the import, whose changes a dataset's file can have. */
export function latestDay({ files }: Pick<StagedSet, "files">, dataset: Dataset, today: string): string {
  const noted = files.find((file) => file.dataset === dataset)?.noted;
  const day = noted ? latestDayOf(noted) : today;
  return day < today ? day : today;
}

/** A dataset's rows of a staged set, for its merge. */
export const stagedRows = (
  staged: Pick<StagedSet, "isDifference" | "removalKeys">,
  dataset: Dataset,
): StagedRows => ({
  dataset,
  table: `staging.${dataset}`,
  columns: stagedColumns(dataset),
  removalKeys: isDifferenceOf(staged, dataset) ? (staged.removalKeys.get(dataset) ?? []) : null,
});
