// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../platform/database/statement.ts";
import type { Dataset } from "./datasets.ts";

export interface ListIndexesParams {
  table: string;
}

export interface ListIndexesRow {
  statement: string;
  removal: string;
}

export const listIndexes = statement<ListIndexesParams, ListIndexesRow>(
  import.meta.url,
  "list-indexes.sql",
  ["table"],
);

export interface ListSourcesRow {
  dataset: Dataset;
  rows: number;
  newestRowOn: string | null;
  profile: unknown;
  importedAt: Date;
  changedOn: string;
}

export const listSources = statement<void, ListSourcesRow>(
  import.meta.url,
  "list-sources.sql",
  [],
);

export interface ListUnknownValuesRow {
  dataset: Dataset;
  column: string;
  value: string;
  rows: number;
}

export const listUnknownValues = statement<void, ListUnknownValuesRow>(
  import.meta.url,
  "list-unknown-values.sql",
  [],
);

export const openTouchedDockets = statement<void, object>(
  import.meta.url,
  "open-touched-dockets.sql",
  [],
);

export interface PutRemovalKeysParams {
  dockets: readonly (string | null)[];
  usdots: readonly (number | null)[];
  opAuthTypes: readonly string[];
}

export const putRemovalKeys = statement<PutRemovalKeysParams, object>(
  import.meta.url,
  "put-removal-keys.sql",
  ["dockets", "usdots", "opAuthTypes"],
);

export const recordAllHistory = statement<void, object>(
  import.meta.url,
  "record-all-history.sql",
  [],
);

export interface RecordDifferenceParams {
  dataset: string;
  importedAt: Date;
  unknownValues: string;
  today: string;
}

export const recordDifference = statement<RecordDifferenceParams, object>(
  import.meta.url,
  "record-difference.sql",
  ["dataset", "importedAt", "unknownValues", "today"],
);

export interface RecordSourceParams {
  dataset: string;
  rows: number;
  newestRowOn: string | null;
  profile: string;
  importedAt: Date;
  today: string;
}

export const recordSource = statement<RecordSourceParams, object>(
  import.meta.url,
  "record-source.sql",
  ["dataset", "rows", "newestRowOn", "profile", "importedAt", "today"],
);

export interface SourceDaysRow {
  dataset: Dataset;
  day: string | null;
}

export const sourceDays = statement<void, SourceDaysRow>(
  import.meta.url,
  "source-days.sql",
  [],
);

export interface UnknownValuesOfParams {
  dataset: string;
}

export interface UnknownValuesOfRow {
  known: Record<string, Record<string, number>> | null;
}

export const unknownValuesOf = statement<UnknownValuesOfParams, UnknownValuesOfRow>(
  import.meta.url,
  "unknown-values-of.sql",
  ["dataset"],
);
