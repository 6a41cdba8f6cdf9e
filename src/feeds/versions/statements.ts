// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export interface CurrentVersionsRow {
  feed_code: string;
  id: number;
  as_of: string;
  row_count: number;
  published_at: Date;
  built_list_state: string | null;
  columns_hash: string | null;
  list_state: string;
}

export const currentVersions = statement<void, CurrentVersionsRow>(
  import.meta.url,
  "current-versions.sql",
  [],
);

export interface DeleteUnpackedParams {
  id: number;
  size: number;
}

export const deleteUnpacked = statement<DeleteUnpackedParams, object>(
  import.meta.url,
  "delete-unpacked.sql",
  ["id", "size"],
);

export interface LockVersionParams {
  id: number;
}

export const lockVersion = statement<LockVersionParams, object>(
  import.meta.url,
  "lock-version.sql",
  ["id"],
);

export interface PartOfColumnParams {
  versionId: number;
  name: string;
  first: number;
  count: number;
}

export interface PartOfColumnRow {
  part: Buffer | null;
  size: number | null;
}

export const partOfColumn = statement<PartOfColumnParams, PartOfColumnRow>(
  import.meta.url,
  "part-of-column.sql",
  ["versionId", "name", "first", "count"],
);

export interface RolledBackRow {
  feed: string;
  at: Date;
}

export const rolledBack = statement<void, RolledBackRow>(
  import.meta.url,
  "rolled-back.sql",
  [],
);

export interface SizeHistoryParams {
  feeds: readonly string[];
  since: string;
}

export interface SizeHistoryRow {
  feed: string;
  asOf: string;
  rows: number;
}

export const sizeHistory = statement<SizeHistoryParams, SizeHistoryRow>(
  import.meta.url,
  "size-history.sql",
  ["feeds", "since"],
);

export interface TableColumnsParams {
  table: string;
}

export interface TableColumnsRow {
  name: string;
}

export const tableColumns = statement<TableColumnsParams, TableColumnsRow>(
  import.meta.url,
  "table-columns.sql",
  ["table"],
);

export interface TextsOfColumnParams {
  versionId: number;
  name: string;
}

export interface TextsOfColumnRow {
  texts: string[] | null;
}

export const textsOfColumn = statement<TextsOfColumnParams, TextsOfColumnRow>(
  import.meta.url,
  "texts-of-column.sql",
  ["versionId", "name"],
);

export interface VersionsByIdParams {
  ids: readonly number[];
}

export interface VersionsByIdRow {
  feed_code: string;
  id: number;
  as_of: string;
  row_count: number;
  published_at: Date;
  built_list_state: string | null;
  columns_hash: string | null;
  list_state: string;
  replaced_at: Date | null;
}

export const versionsById = statement<VersionsByIdParams, VersionsByIdRow>(
  import.meta.url,
  "versions-by-id.sql",
  ["ids"],
);
