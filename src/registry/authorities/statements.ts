// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";

export interface ComputeAuthoritiesParams {
  asOf: string;
  firstSeenOn: string;
  legacyFrozenOn: string;
  legacyCarrierClasses: readonly string[];
}

export const computeAuthorities = statement<ComputeAuthoritiesParams, object>(
  import.meta.url,
  "compute-authorities.sql",
  ["asOf", "firstSeenOn", "legacyFrozenOn", "legacyCarrierClasses"],
);

export interface ComputePendingRevocationsParams {
  asOf: string;
  legacyEndsOn: string;
  legacyCarrierClasses: readonly string[];
}

export const computePendingRevocations = statement<ComputePendingRevocationsParams, object>(
  import.meta.url,
  "compute-pending-revocations.sql",
  ["asOf", "legacyEndsOn", "legacyCarrierClasses"],
);

export interface CountContradictionsParams {
  asOf: string;
}

export interface CountContradictionsRow {
  shared: number;
  contradicting: number;
}

export const countContradictions = statement<CountContradictionsParams, CountContradictionsRow>(
  import.meta.url,
  "count-contradictions.sql",
  ["asOf"],
);

export const deleteAbsentAuthorities = statement<void, object>(
  import.meta.url,
  "delete-absent-authorities.sql",
  [],
);

export interface DeleteOldNoticesParams {
  previousAsOf: string | null;
  days: number;
}

export const deleteOldNotices = statement<DeleteOldNoticesParams, object>(
  import.meta.url,
  "delete-old-notices.sql",
  ["previousAsOf", "days"],
);

export const deletePendingRevocations = statement<void, object>(
  import.meta.url,
  "delete-pending-revocations.sql",
  [],
);

export const dropRepeatedHistory = statement<void, object>(
  import.meta.url,
  "drop-repeated-history.sql",
  [],
);

export const insertPendingRevocations = statement<void, object>(
  import.meta.url,
  "insert-pending-revocations.sql",
  [],
);

export interface IsFirstHistoryRow {
  isFirst: boolean;
}

export const isFirstHistory = statement<void, IsFirstHistoryRow>(
  import.meta.url,
  "is-first-history.sql",
  [],
);

export const openDeletedHistory = statement<void, object>(
  import.meta.url,
  "open-deleted-history.sql",
  [],
);

export const openDeletedPendingRevocations = statement<void, object>(
  import.meta.url,
  "open-deleted-pending-revocations.sql",
  [],
);

export const openNewPendingRevocations = statement<void, object>(
  import.meta.url,
  "open-new-pending-revocations.sql",
  [],
);

export interface RecordCancellationsParams {
  previousAsOf: string | null;
}

export const recordCancellations = statement<RecordCancellationsParams, object>(
  import.meta.url,
  "record-cancellations.sql",
  ["previousAsOf"],
);

export interface RecordRulesParams {
  hash: string;
}

export const recordRules = statement<RecordRulesParams, object>(
  import.meta.url,
  "record-rules.sql",
  ["hash"],
);

export const recordSeenOrders = statement<void, object>(
  import.meta.url,
  "record-seen-orders.sql",
  [],
);

export const recordStatusChanges = statement<void, object>(
  import.meta.url,
  "record-status-changes.sql",
  [],
);

export const resolveDockets = statement<void, object>(
  import.meta.url,
  "resolve-dockets.sql",
  [],
);

export const touchAll = statement<void, object>(
  import.meta.url,
  "touch-all.sql",
  [],
);

export interface TouchDueParams {
  previousAsOf: string;
  asOf: string;
}

export const touchDue = statement<TouchDueParams, object>(
  import.meta.url,
  "touch-due.sql",
  ["previousAsOf", "asOf"],
);

export const touchEachOnce = statement<void, object>(
  import.meta.url,
  "touch-each-once.sql",
  [],
);
