// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";
import type { EventType } from "../../events/event-types.ts";
import type { Payload } from "../endpoints/filters.ts";
import type { Cancellation } from "./state.ts";
import type { EventData } from "../../events/event-row.ts";

export interface BeatParams {
  dispatcherId: number;
  inFlight: number;
}

export interface BeatRow {
  id: number;
}

export const beat = statement<BeatParams, BeatRow>(
  import.meta.url,
  "beat.sql",
  ["dispatcherId", "inFlight"],
);

export interface BeginLifeRow {
  id: number;
}

export const beginLife = statement<void, BeginLifeRow>(
  import.meta.url,
  "begin-life.sql",
  [],
);

export interface BeginSectionParams {
  dispatcherId: number;
}

export interface BeginSectionRow {
  version: number;
  isAlive: boolean;
}

export const beginSection = statement<BeginSectionParams, BeginSectionRow>(
  import.meta.url,
  "begin-section.sql",
  ["dispatcherId"],
);

export interface CountFailureParams {
  endpointId: number;
}

export interface CountFailureRow {
  streak: number;
  url: string;
  email: string;
}

export const countFailure = statement<CountFailureParams, CountFailureRow>(
  import.meta.url,
  "count-failure.sql",
  ["endpointId"],
);

export interface EndDeadParams {
  dispatcherIds: readonly number[];
}

export interface EndDeadRow {
  id: number;
}

export const endDead = statement<EndDeadParams, EndDeadRow>(
  import.meta.url,
  "end-dead.sql",
  ["dispatcherIds"],
);

export interface EndLifeParams {
  dispatcherId: number;
}

export const endLife = statement<EndLifeParams, object>(
  import.meta.url,
  "end-life.sql",
  ["dispatcherId"],
);

export interface EndRetriesParams {
  deliveryIds: readonly number[];
}

export const endRetries = statement<EndRetriesParams, object>(
  import.meta.url,
  "end-retries.sql",
  ["deliveryIds"],
);

export interface EndpointsWithoutPlanParams {
  carriedTypes: readonly string[];
}

export interface EndpointsWithoutPlanRow {
  id: number;
}

export const endpointsWithoutPlan = statement<EndpointsWithoutPlanParams, EndpointsWithoutPlanRow>(
  import.meta.url,
  "endpoints-without-plan.sql",
  ["carriedTypes"],
);

export interface EraseDeletedParams {
  deletedBefore: Date;
  most: number;
}

export interface EraseDeletedRow {
  erased: number;
}

export const eraseDeleted = statement<EraseDeletedParams, EraseDeletedRow>(
  import.meta.url,
  "erase-deleted.sql",
  ["deletedBefore", "most"],
);

export interface EraseEndpointsParams {
  deletedBefore: Date;
}

export const eraseEndpoints = statement<EraseEndpointsParams, object>(
  import.meta.url,
  "erase-endpoints.sql",
  ["deletedBefore"],
);

export interface ErasePreviousSecretsParams {
  now: Date;
}

export const erasePreviousSecrets = statement<ErasePreviousSecretsParams, object>(
  import.meta.url,
  "erase-previous-secrets.sql",
  ["now"],
);

export interface FindDueParams {
  now: Date;
  isTest: boolean;
}

export interface FindDueRow {
  endpointId: number;
  accountId: number;
}

export const findDue = statement<FindDueParams, FindDueRow>(
  import.meta.url,
  "find-due.sql",
  ["now", "isTest"],
);

export interface FindFreshParams {
  afterId: number;
  most: number;
}

export interface FindFreshRow {
  endpointId: number;
  accountId: number;
  lastId: number;
  deliveries: number;
}

export const findFresh = statement<FindFreshParams, FindFreshRow>(
  import.meta.url,
  "find-fresh.sql",
  ["afterId", "most"],
);

export interface HoldLifeParams {
  dispatcherId: number;
}

export interface HoldLifeRow {
  isHeld: boolean;
}

export const holdLife = statement<HoldLifeParams, HoldLifeRow>(
  import.meta.url,
  "hold-life.sql",
  ["dispatcherId"],
);

export interface HoldRecordParams {
  dispatcherId: number;
}

export const holdRecord = statement<HoldRecordParams, object>(
  import.meta.url,
  "hold-record.sql",
  ["dispatcherId"],
);

export interface LeasedEndpointsParams {
  accountIds: readonly number[];
}

export interface LeasedEndpointsRow {
  id: number;
  accountId: number;
  doneTo: number;
}

export const leasedEndpoints = statement<LeasedEndpointsParams, LeasedEndpointsRow>(
  import.meta.url,
  "leased-endpoints.sql",
  ["accountIds"],
);

export interface LimitIdleRow {
  set_config: string;
}

export const limitIdle = statement<void, LimitIdleRow>(
  import.meta.url,
  "limit-idle.sql",
  [],
);

export interface ListDispatchersParams {
  dispatcherId: number;
}

export interface ListDispatchersRow {
  id: number;
  isUnseen: boolean;
  isUnheld: boolean;
}

export const listDispatchers = statement<ListDispatchersParams, ListDispatchersRow>(
  import.meta.url,
  "list-dispatchers.sql",
  ["dispatcherId"],
);

export interface ListLeasesParams {
  dispatcherId: number;
}

export interface ListLeasesRow {
  accountId: number;
}

export const listLeases = statement<ListLeasesParams, ListLeasesRow>(
  import.meta.url,
  "list-leases.sql",
  ["dispatcherId"],
);

export interface LoadEndpointsParams {
  endpointIds: readonly number[];
}

export interface LoadEndpointsRow {
  id: number;
  url: string;
  secretSealed: Buffer;
  previousSecretSealed: Buffer | null;
  previousSecretUntil: Date | null;
  payload: Payload;
  honorsRetryAfter: boolean;
  isActive: boolean;
  isDeleted: boolean;
  disabledReason: string | null;
  eventTypes: EventType[];
  hasStreak: boolean;
  planCode: string;
  cancellations: Cancellation[];
}

export const loadEndpoints = statement<LoadEndpointsParams, LoadEndpointsRow>(
  import.meta.url,
  "load-endpoints.sql",
  ["endpointIds"],
);

export interface LoadEventsParams {
  eventIds: readonly number[];
}

export interface LoadEventsRow {
  id: number;
  type: EventType;
  country: string;
  usdot: number;
  docket: string | null;
  state: string | null;
  occurred_on: string | null;
  detected_at: Date;
  source_dataset: string;
  verify_method: string | null;
  data: EventData;
}

export const loadEvents = statement<LoadEventsParams, LoadEventsRow>(
  import.meta.url,
  "load-events.sql",
  ["eventIds"],
);

export interface LoadSightsParams {
  planCodes: readonly string[];
  types: readonly string[];
  states: readonly (string | null)[];
  carriedTypes: readonly string[];
}

export interface LoadSightsRow {
  number: number;
  isSeen: boolean;
}

export const loadSights = statement<LoadSightsParams, LoadSightsRow>(
  import.meta.url,
  "load-sights.sql",
  ["planCodes", "types", "states", "carriedTypes"],
);

export interface LockEndpointsParams {
  endpointIds: readonly number[];
}

export interface LockEndpointsRow {
  id: number;
  isActive: boolean;
}

export const lockEndpoints = statement<LockEndpointsParams, LockEndpointsRow>(
  import.meta.url,
  "lock-endpoints.sql",
  ["endpointIds"],
);

export interface NewestDeliveryRow {
  id: number;
}

export const newestDelivery = statement<void, NewestDeliveryRow>(
  import.meta.url,
  "newest-delivery.sql",
  [],
);

export interface PausedWithRetriesRow {
  endpointId: number;
  isDeleted: boolean;
  disabledReason: string | null;
}

export const pausedWithRetries = statement<void, PausedWithRetriesRow>(
  import.meta.url,
  "paused-with-retries.sql",
  [],
);

export interface ReadDueParams {
  endpointIds: readonly number[];
  skipped: readonly number[];
  isTest: boolean;
  now: Date;
  most: number;
}

export interface ReadDueRow {
  endpointId: number;
  id: number;
  eventId: number | null;
  testNumber: number | null;
  eventType: EventType;
  createdAt: Date;
  dueAt: Date;
  attempt: number;
  failures: number;
}

export const readDue = statement<ReadDueParams, ReadDueRow>(
  import.meta.url,
  "read-due.sql",
  ["endpointIds", "skipped", "isTest", "now", "most"],
);

export interface ReadFreshParams {
  endpointIds: readonly number[];
  afterIds: readonly number[];
  areChecked: readonly boolean[];
  most: number;
}

export interface ReadFreshRow {
  endpointId: number;
  id: number;
  eventId: number | null;
  eventType: EventType;
  createdAt: Date;
  isDone: boolean;
}

export const readFresh = statement<ReadFreshParams, ReadFreshRow>(
  import.meta.url,
  "read-fresh.sql",
  ["endpointIds", "afterIds", "areChecked", "most"],
);

export interface RecordDeliveredParams {
  dispatcherId: number;
  deliveryIds: readonly number[];
  endpointIds: readonly number[];
  startedMs: readonly number[];
  endedMs: readonly number[];
  durationsMs: readonly number[];
  httpStatuses: readonly number[];
  signatures: Buffer;
}

export interface RecordDeliveredRow {
  isAlive: boolean;
}

export const recordDelivered = statement<RecordDeliveredParams, RecordDeliveredRow>(
  import.meta.url,
  "record-delivered.sql",
  ["dispatcherId", "deliveryIds", "endpointIds", "startedMs", "endedMs", "durationsMs", "httpStatuses", "signatures"],
);

export interface RecordResultsParams {
  deliveryIds: readonly number[];
  endpointIds: readonly number[];
  attempts: readonly (number | null)[];
  startedAt: readonly (Date | null)[];
  durationsMs: readonly (number | null)[];
  httpStatuses: readonly (number | null)[];
  reasons: readonly (string | null)[];
  signatures: readonly (string | null)[];
  outcomes: readonly string[];
  cancelReasons: readonly (string | null)[];
  endedAt: readonly Date[];
}

export interface RecordResultsRow {
  deliveryId: number;
}

export const recordResults = statement<RecordResultsParams, RecordResultsRow>(
  import.meta.url,
  "record-results.sql",
  ["deliveryIds", "endpointIds", "attempts", "startedAt", "durationsMs", "httpStatuses", "reasons", "signatures", "outcomes", "cancelReasons", "endedAt"],
);

export interface ReleaseAccountsParams {
  dispatcherId: number;
  accountIds: readonly number[];
}

export const releaseAccounts = statement<ReleaseAccountsParams, object>(
  import.meta.url,
  "release-accounts.sql",
  ["dispatcherId", "accountIds"],
);

export interface ResetStreakParams {
  endpointId: number;
}

export const resetStreak = statement<ResetStreakParams, object>(
  import.meta.url,
  "reset-streak.sql",
  ["endpointId"],
);

export interface SaveProgressParams {
  dispatcherId: number;
  endpointIds: readonly number[];
  doneTo: readonly number[];
}

export const saveProgress = statement<SaveProgressParams, object>(
  import.meta.url,
  "save-progress.sql",
  ["dispatcherId", "endpointIds", "doneTo"],
);

export interface TakeAccountsParams {
  dispatcherId: number;
  rank: number;
  of: number;
}

export interface TakeAccountsRow {
  accountId: number;
}

export const takeAccounts = statement<TakeAccountsParams, TakeAccountsRow>(
  import.meta.url,
  "take-accounts.sql",
  ["dispatcherId", "rank", "of"],
);

export interface TryAgainParams {
  deliveryIds: readonly number[];
  endpointIds: readonly number[];
  accountIds: readonly number[];
  dueAt: readonly Date[];
  attempts: readonly number[];
  failures: readonly number[];
}

export const tryAgain = statement<TryAgainParams, object>(
  import.meta.url,
  "try-again.sql",
  ["deliveryIds", "endpointIds", "accountIds", "dueAt", "attempts", "failures"],
);
