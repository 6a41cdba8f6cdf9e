// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export interface BlankedOfParams {
  requestIds: readonly number[];
}

export interface BlankedOfRow {
  requestId: number;
  value: string;
}

export const blankedOf = statement<BlankedOfParams, BlankedOfRow>(
  import.meta.url,
  "blanked-of.sql",
  ["requestIds"],
);

export interface CountBusinessesRow {
  count: number;
}

export const countBusinesses = statement<void, CountBusinessesRow>(
  import.meta.url,
  "count-businesses.sql",
  [],
);

export interface ExportRequestsParams {
  after: number;
  most: number;
}

export interface ExportRequestsRow {
  id: number;
  line: string;
}

export const exportRequests = statement<ExportRequestsParams, ExportRequestsRow>(
  import.meta.url,
  "export-requests.sql",
  ["after", "most"],
);

export interface FindUndoneParams {
  requestIds: readonly number[];
}

export interface FindUndoneRow {
  id: number;
}

export const findUndone = statement<FindUndoneParams, FindUndoneRow>(
  import.meta.url,
  "find-undone.sql",
  ["requestIds"],
);

export interface RestoreIdentifiersParams {
  requests: string;
}

export const restoreIdentifiers = statement<RestoreIdentifiersParams, object>(
  import.meta.url,
  "restore-identifiers.sql",
  ["requests"],
);

export interface RestoreLogParams {
  requests: string;
}

export interface RestoreLogRow {
  id: number;
  is_unknown: boolean;
  is_newer: boolean;
}

export const restoreLog = statement<RestoreLogParams, RestoreLogRow>(
  import.meta.url,
  "restore-log.sql",
  ["requests"],
);
