// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export interface CountChangedRowsRow {
  rows: number;
}

export const countChangedRows = statement<void, CountChangedRowsRow>(
  import.meta.url,
  "count-changed-rows.sql",
  [],
);

export interface CountRevaluedRow {
  name: string;
  rows: number;
}

export const countRevalued = statement<void, CountRevaluedRow>(
  import.meta.url,
  "count-revalued.sql",
  [],
);

export interface DeleteExpiredParams {
  replacedBefore: Date;
}

export interface DeleteExpiredRow {
  id: number;
}

export const deleteExpired = statement<DeleteExpiredParams, DeleteExpiredRow>(
  import.meta.url,
  "delete-expired.sql",
  ["replacedBefore"],
);

export const expireReplaced = statement<void, object>(
  import.meta.url,
  "expire-replaced.sql",
  [],
);

export interface FindCurrentParams {
  feed: string;
}

export interface FindCurrentRow {
  id: number;
  rowCount: number;
  asOf: string;
  fingerprint: string;
  isRolledBack: boolean;
}

export const findCurrent = statement<FindCurrentParams, FindCurrentRow>(
  import.meta.url,
  "find-current.sql",
  ["feed"],
);

export const forgetSizes = statement<void, object>(
  import.meta.url,
  "forget-sizes.sql",
  [],
);

export interface InsertStepParams {
  feed: string;
  fromVersion: number | null;
  toVersion: number;
  asOf: string;
  publishedAt: Date;
  takenAt: Date;
  cause: string;
  rules: string;
  states: string;
}

export interface InsertStepRow {
  id: number;
}

export const insertStep = statement<InsertStepParams, InsertStepRow>(
  import.meta.url,
  "insert-step.sql",
  ["feed", "fromVersion", "toVersion", "asOf", "publishedAt", "takenAt", "cause", "rules", "states"],
);

export interface InsertVersionParams {
  feed: string;
  asOf: string;
  fingerprint: string;
  now: Date;
  listState: string;
  columnsHash: string;
}

export interface InsertVersionRow {
  id: number;
}

export const insertVersion = statement<InsertVersionParams, InsertVersionRow>(
  import.meta.url,
  "insert-version.sql",
  ["feed", "asOf", "fingerprint", "now", "listState", "columnsHash"],
);

export interface ListAgentsRow {
  kind: string;
  value: string;
}

export const listAgents = statement<void, ListAgentsRow>(
  import.meta.url,
  "list-agents.sql",
  [],
);

export interface NoteSizeParams {
  feed: string;
  asOf: string;
  rows: number;
}

export const noteSize = statement<NoteSizeParams, object>(
  import.meta.url,
  "note-size.sql",
  ["feed", "asOf", "rows"],
);

export const openDifferences = statement<void, object>(
  import.meta.url,
  "open-differences.sql",
  [],
);

export interface PointBackParams {
  feed: string;
  to: number;
  now: Date;
}

export const pointBack = statement<PointBackParams, object>(
  import.meta.url,
  "point-back.sql",
  ["feed", "to", "now"],
);

export interface PointReadersParams {
  feed: string;
  id: number;
}

export const pointReaders = statement<PointReadersParams, object>(
  import.meta.url,
  "point-readers.sql",
  ["feed", "id"],
);

export interface ReplaceCurrentParams {
  feed: string;
  now: Date;
}

export const replaceCurrent = statement<ReplaceCurrentParams, object>(
  import.meta.url,
  "replace-current.sql",
  ["feed", "now"],
);

export interface RulesOfVersionParams {
  version: number;
}

export interface RulesOfVersionRow {
  rules: string;
}

export const rulesOfVersion = statement<RulesOfVersionParams, RulesOfVersionRow>(
  import.meta.url,
  "rules-of-version.sql",
  ["version"],
);

export interface SetRowCountParams {
  id: number;
  rows: number;
}

export const setRowCount = statement<SetRowCountParams, object>(
  import.meta.url,
  "set-row-count.sql",
  ["id", "rows"],
);

export interface SwapReplacedParams {
  from: number;
  to: number;
  now: Date;
}

export const swapReplaced = statement<SwapReplacedParams, object>(
  import.meta.url,
  "swap-replaced.sql",
  ["from", "to", "now"],
);

export interface TryLockTransactionParams {
  key: number;
}

export interface TryLockTransactionRow {
  held: boolean;
}

export const tryLockTransaction = statement<TryLockTransactionParams, TryLockTransactionRow>(
  import.meta.url,
  "try-lock-transaction.sql",
  ["key"],
);

export interface TryLockParams {
  key: number;
}

export interface TryLockRow {
  held: boolean;
}

export const tryLock = statement<TryLockParams, TryLockRow>(
  import.meta.url,
  "try-lock.sql",
  ["key"],
);

export interface UnlockParams {
  key: number;
}

export interface UnlockRow {
  pg_advisory_unlock: boolean;
}

export const unlock = statement<UnlockParams, UnlockRow>(
  import.meta.url,
  "unlock.sql",
  ["key"],
);

export interface VersionBeforeParams {
  feed: string;
  replacedAfter: Date;
}

export interface VersionBeforeRow {
  from: number;
  to: number | null;
  as_of: string | null;
  published_at: Date | null;
  rows: number | null;
}

export const versionBefore = statement<VersionBeforeParams, VersionBeforeRow>(
  import.meta.url,
  "version-before.sql",
  ["feed", "replacedAfter"],
);

export interface WithdrawFeedsParams {
  except: readonly string[];
  now: Date;
}

export const withdrawFeeds = statement<WithdrawFeedsParams, object>(
  import.meta.url,
  "withdraw-feeds.sql",
  ["except", "now"],
);
