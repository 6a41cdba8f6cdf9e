// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../platform/database/statement.ts";
import type { IdentifierKind } from "./requests/asked.ts";

export interface CountRemovedSinceParams {
  since: Date;
  feeds: readonly string[];
}

export interface CountRemovedSinceRow {
  count: number;
}

export const countRemovedSince = statement<CountRemovedSinceParams, CountRemovedSinceRow>(
  import.meta.url,
  "count-removed-since.sql",
  ["since", "feeds"],
);

export interface CurrentVersionsRow {
  feed: string;
  id: number;
}

export const currentVersions = statement<void, CurrentVersionsRow>(
  import.meta.url,
  "current-versions.sql",
  [],
);

export interface DeleteIdentifiersParams {
  requestIds: readonly number[];
}

export const deleteIdentifiers = statement<DeleteIdentifiersParams, object>(
  import.meta.url,
  "delete-identifiers.sql",
  ["requestIds"],
);

export interface DeleteMatchesParams {
  requestIds: readonly number[];
}

export const deleteMatches = statement<DeleteMatchesParams, object>(
  import.meta.url,
  "delete-matches.sql",
  ["requestIds"],
);

export interface FindMatchesParams {
  kinds: readonly string[];
  values: readonly string[];
  mostFound: number | null;
  mostSharing: number;
  mostInAll: number;
}

export interface FindMatchesRow {
  kind: IdentifierKind;
  value: string;
  usdots: number[];
  is_shared: boolean;
}

export const findMatches = statement<FindMatchesParams, FindMatchesRow>(
  import.meta.url,
  "find-matches.sql",
  ["kinds", "values", "mostFound", "mostSharing", "mostInAll"],
);

export interface IdentifiersInEffectRow {
  requestId: number;
  kind: IdentifierKind;
  value: string;
  state: "in_force" | "accepted";
}

export const identifiersInEffect = statement<void, IdentifiersInEffectRow>(
  import.meta.url,
  "identifiers-in-effect.sql",
  [],
);

export interface ListStateRow {
  businesses: number;
  contacts: number;
  waiting: number;
  since: Date | null;
}

export const listState = statement<void, ListStateRow>(
  import.meta.url,
  "list-state.sql",
  [],
);

export const lockList = statement<void, object>(
  import.meta.url,
  "lock-list.sql",
  [],
);

export interface PutOnListParams {
  requestIds: readonly number[];
  usdots: readonly number[];
  removedAt: readonly Date[];
  contactRequestIds: readonly number[];
  contacts: readonly string[];
  feeds: readonly string[];
  feedUsdots: readonly number[];
  now: Date;
}

export interface PutOnListRow {
  businesses: number;
  contacts: number;
}

export const putOnList = statement<PutOnListParams, PutOnListRow>(
  import.meta.url,
  "put-on-list.sql",
  ["requestIds", "usdots", "removedAt", "contactRequestIds", "contacts", "feeds", "feedUsdots", "now"],
);

export interface RemovedAmongParams {
  usdots: readonly number[];
}

export interface RemovedAmongRow {
  usdot: number;
  number: number;
}

export const removedAmong = statement<RemovedAmongParams, RemovedAmongRow>(
  import.meta.url,
  "removed-among.sql",
  ["usdots"],
);

export interface RemovedSinceParams {
  since: Date;
}

export interface RemovedSinceRow {
  feed: string;
  removed: number;
  rows: number;
}

export const removedSince = statement<RemovedSinceParams, RemovedSinceRow>(
  import.meta.url,
  "removed-since.sql",
  ["since"],
);

export interface TakeOffParams {
  requestIds: readonly number[];
  now: Date;
}

export interface TakeOffRow {
  businesses: number;
}

export const takeOff = statement<TakeOffParams, TakeOffRow>(
  import.meta.url,
  "take-off.sql",
  ["requestIds", "now"],
);

export interface WaitForOperatorParams {
  requestIds: readonly number[];
  kinds: readonly string[];
  now: Date;
}

export const waitForOperator = statement<WaitForOperatorParams, object>(
  import.meta.url,
  "wait-for-operator.sql",
  ["requestIds", "kinds", "now"],
);
