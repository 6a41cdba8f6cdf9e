// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";
import type { EventType } from "../../events/event-types.ts";
import type { EventData } from "../../events/event-row.ts";

export const ask = statement<void, object>(
  import.meta.url,
  "ask.sql",
  [],
);

export interface CancelPausedParams {
  now: Date;
  most: number;
}

export const cancelPaused = statement<CancelPausedParams, object>(
  import.meta.url,
  "cancel-paused.sql",
  ["now", "most"],
);

export interface ClaimParams {
  now: Date;
  isTest: boolean;
  most: number;
  perEndpoint: number;
  perAccount: number;
  leaseUntil: Date;
  carriedTypes: readonly string[];
}

export interface ClaimRow {
  id: number;
  endpoint_id: number;
  account_id: number;
  event_id: number;
  event_type: EventType;
  is_test: boolean;
  created_at: Date;
  status: string;
  url: string;
  secret_sealed: Buffer;
  country: string | null;
  usdot: number | null;
  docket: string | null;
  state: string | null;
  occurred_on: string | null;
  detected_at: Date | null;
  source_dataset: string | null;
  verify_method: string | null;
  data: EventData | null;
  cancel_reason: string | null;
  attempt: number;
  failures: number;
}

export const claim = statement<ClaimParams, ClaimRow>(
  import.meta.url,
  "claim.sql",
  ["now", "isTest", "most", "perEndpoint", "perAccount", "leaseUntil", "carriedTypes"],
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

export interface RecordParams {
  now: Date;
  deliveryIds: readonly number[];
  attempts: readonly number[];
  nextStatuses: readonly string[];
  dueAt: readonly (Date | null)[];
  startedAt: readonly Date[];
  durationsMs: readonly number[];
  httpStatuses: readonly (number | null)[];
  reasons: readonly (string | null)[];
  signatures: readonly string[];
}

export interface RecordRow {
  id: number;
  status: string;
}

export const record = statement<RecordParams, RecordRow>(
  import.meta.url,
  "record.sql",
  ["now", "deliveryIds", "attempts", "nextStatuses", "dueAt", "startedAt", "durationsMs", "httpStatuses", "reasons", "signatures"],
);

export interface SweepParams {
  now: Date;
}

export const sweep = statement<SweepParams, object>(
  import.meta.url,
  "sweep.sql",
  ["now"],
);

export interface TakeTurnRow {
  lock: unknown;
  idle: string;
  commit: string;
  seqscan: string;
  bitmapscan: string;
  sort: string;
  incremental_sort: string;
  plan: string;
}

export const takeTurn = statement<void, TakeTurnRow>(
  import.meta.url,
  "take-turn.sql",
  [],
);
