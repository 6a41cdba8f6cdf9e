// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";
import type { Payload } from "./filters.ts";
import type { EventType } from "../../events/event-types.ts";

export interface CountActiveParams {
  accountId: number;
}

export interface CountActiveRow {
  count: number;
}

export const countActive = statement<CountActiveParams, CountActiveRow>(
  import.meta.url,
  "count-active.sql",
  ["accountId"],
);

export interface DeleteEndpointParams {
  endpointId: number;
  accountId: number;
  now: Date;
}

export const deleteEndpoint = statement<DeleteEndpointParams, object>(
  import.meta.url,
  "delete-endpoint.sql",
  ["endpointId", "accountId", "now"],
);

export interface EnableEndpointParams {
  endpointId: number;
}

export const enableEndpoint = statement<EnableEndpointParams, object>(
  import.meta.url,
  "enable-endpoint.sql",
  ["endpointId"],
);

export interface EndpointHealthParams {
  accountId: number;
  since: Date;
  most: number;
}

export interface EndpointHealthRow {
  endpointId: number;
  delivered: number;
  failed: number;
  failedTests: number;
  cancelled: number;
  waiting: number;
  retrying: number;
  lastDeliveredAt: Date | null;
  lastAcceptedAt: Date | null;
  lastRefusedAt: Date | null;
}

export const endpointHealth = statement<EndpointHealthParams, EndpointHealthRow>(
  import.meta.url,
  "endpoint-health.sql",
  ["accountId", "since", "most"],
);

export interface FindOwnParams {
  endpointId: number;
  accountId: number;
}

export const findOwn = statement<FindOwnParams, object>(
  import.meta.url,
  "find-own.sql",
  ["endpointId", "accountId"],
);

export interface FindOwnerParams {
  endpointId: number;
}

export interface FindOwnerRow {
  account_id: number;
}

export const findOwner = statement<FindOwnerParams, FindOwnerRow>(
  import.meta.url,
  "find-owner.sql",
  ["endpointId"],
);

export interface InsertEndpointParams {
  id: number;
  accountId: number;
  url: string;
  description: string | null;
  eventTypes: readonly string[];
  secretSealed: Buffer;
  secretPrefix: string;
  createdAt: Date;
  states: readonly string[] | null;
  usdots: readonly number[] | null;
  authorityTypes: readonly string[] | null;
  trucksMin: number | null;
  trucksMax: number | null;
  payload: string;
  honorRetryAfter: boolean;
}

export const insertEndpoint = statement<InsertEndpointParams, object>(
  import.meta.url,
  "insert-endpoint.sql",
  ["id", "accountId", "url", "description", "eventTypes", "secretSealed", "secretPrefix", "createdAt", "states", "usdots", "authorityTypes", "trucksMin", "trucksMax", "payload", "honorRetryAfter"],
);

export interface ListEveryParams {
  accountId: number | null;
}

export interface ListEveryRow {
  id: number;
  account_id: number;
  url: string;
  description: string | null;
  event_types: EventType[];
  active: boolean;
  disabled_reason: string | null;
  failure_streak: number;
  queued: number;
  created_at: Date;
  payload: Payload;
  honorsRetryAfter: boolean;
  filterStates: string[] | null;
  filterUsdots: number[] | null;
  filterAuthorityTypes: string[] | null;
  trucksMin: number | null;
  trucksMax: number | null;
  previousSecretUntil: Date | null;
}

export const listEvery = statement<ListEveryParams, ListEveryRow>(
  import.meta.url,
  "list-every.sql",
  ["accountId"],
);

export interface LockAccountParams {
  accountId: number;
}

export const lockAccount = statement<LockAccountParams, object>(
  import.meta.url,
  "lock-account.sql",
  ["accountId"],
);

export interface LockEndpointParams {
  endpointId: number;
  accountId: number;
}

export interface LockEndpointRow {
  id: number;
  url: string;
  description: string | null;
  eventTypes: EventType[];
  active: boolean;
  failureStreak: number;
  disabledReason: string | null;
  secretPrefix: string;
  createdAt: Date;
  filterStates: string[] | null;
  filterUsdots: number[] | null;
  filterAuthorityTypes: string[] | null;
  trucksMin: number | null;
  trucksMax: number | null;
  payload: Payload;
  honorRetryAfter: boolean;
  previousSecretUntil: Date | null;
}

export const lockEndpoint = statement<LockEndpointParams, LockEndpointRow>(
  import.meta.url,
  "lock-endpoint.sql",
  ["endpointId", "accountId"],
);

export interface LockStateParams {
  endpointId: number;
  carriedTypes: readonly string[];
}

export interface LockStateRow {
  isActive: boolean;
  isInPlan: boolean;
}

export const lockState = statement<LockStateParams, LockStateRow>(
  import.meta.url,
  "lock-state.sql",
  ["endpointId", "carriedTypes"],
);

export interface NextEndpointIdRow {
  id: number;
}

export const nextEndpointId = statement<void, NextEndpointIdRow>(
  import.meta.url,
  "next-endpoint-id.sql",
  [],
);

export interface PauseEndpointParams {
  endpointId: number;
  reason: string;
  now: Date;
}

export const pauseEndpoint = statement<PauseEndpointParams, object>(
  import.meta.url,
  "pause-endpoint.sql",
  ["endpointId", "reason", "now"],
);

export interface ReadEndpointParams {
  endpointId: number;
  accountId: number;
}

export interface ReadEndpointRow {
  id: number;
  url: string;
  description: string | null;
  eventTypes: EventType[];
  active: boolean;
  failureStreak: number;
  disabledReason: string | null;
  secretPrefix: string;
  createdAt: Date;
  filterStates: string[] | null;
  filterUsdots: number[] | null;
  filterAuthorityTypes: string[] | null;
  trucksMin: number | null;
  trucksMax: number | null;
  payload: Payload;
  honorRetryAfter: boolean;
  previousSecretUntil: Date | null;
}

export const readEndpoint = statement<ReadEndpointParams, ReadEndpointRow>(
  import.meta.url,
  "read-endpoint.sql",
  ["endpointId", "accountId"],
);

export interface RotateSecretParams {
  endpointId: number;
  accountId: number;
  sealed: Buffer;
  prefix: string;
  previousUntil: Date | null;
}

export const rotateSecret = statement<RotateSecretParams, object>(
  import.meta.url,
  "rotate-secret.sql",
  ["endpointId", "accountId", "sealed", "prefix", "previousUntil"],
);

export interface UpdateEndpointParams {
  id: number;
  url: string;
  description: string | null;
  eventTypes: readonly string[];
  states: readonly string[] | null;
  usdots: readonly number[] | null;
  authorityTypes: readonly string[] | null;
  trucksMin: number | null;
  trucksMax: number | null;
  payload: string;
  honorRetryAfter: boolean;
}

export const updateEndpoint = statement<UpdateEndpointParams, object>(
  import.meta.url,
  "update-endpoint.sql",
  ["id", "url", "description", "eventTypes", "states", "usdots", "authorityTypes", "trucksMin", "trucksMax", "payload", "honorRetryAfter"],
);
