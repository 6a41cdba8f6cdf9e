// Written by `npm run generate:sql` from the .sql files of this folder. Don't edit it.
import { statement } from "../../platform/database/statement.ts";
import type { EventType } from "../../events/event-types.ts";
import type { DeliveryStatus, AttemptShown } from "./delivery-history.ts";
import type { CancelReason } from "./cancel-queued.ts";
import type { EventData } from "../../events/event-row.ts";
import type { Payload } from "../endpoints/filters.ts";
import type { RecordedAttempt } from "./read-delivery.ts";

export interface CancelRangeParams {
  endpointId: number;
  now: Date;
  reason: string;
  eventTypes: readonly string[] | null;
}

export const cancelRange = statement<CancelRangeParams, object>(
  import.meta.url,
  "cancel-range.sql",
  ["endpointId", "now", "reason", "eventTypes"],
);

export interface CancelRetriesParams {
  endpointId: number;
  now: Date;
  reason: string;
  isTest: readonly boolean[];
  eventTypes: readonly string[] | null;
  most: number;
}

export const cancelRetries = statement<CancelRetriesParams, object>(
  import.meta.url,
  "cancel-retries.sql",
  ["endpointId", "now", "reason", "isTest", "eventTypes", "most"],
);

export interface DeliveryHistoryParams {
  endpointId: number;
  most: number;
  status: string | null;
  eventType: string | null;
  from: Date | null;
  to: Date | null;
  before: number | null;
}

export interface DeliveryHistoryRow {
  id: number;
  event_id: number;
  event_type: EventType;
  is_test: boolean;
  status: DeliveryStatus;
  cancel_reason: CancelReason | null;
  created_at: Date;
  due_at: Date;
  finished_at: Date | null;
  attempts: AttemptShown[];
}

export const deliveryHistory = statement<DeliveryHistoryParams, DeliveryHistoryRow>(
  import.meta.url,
  "delivery-history.sql",
  ["endpointId", "most", "status", "eventType", "from", "to", "before"],
);

export interface FanOutParams {
  now: Date;
  carriedTypes: readonly string[];
  mostEvents: number;
  mostDeliveries: number;
}

export interface FanOutRow {
  events: number | null;
  deliveries: number;
}

export const fanOut = statement<FanOutParams, FanOutRow>(
  import.meta.url,
  "fan-out.sql",
  ["now", "carriedTypes", "mostEvents", "mostDeliveries"],
);

export interface FindEndpointParams {
  endpointId: number;
  accountId: number | null;
}

export const findEndpoint = statement<FindEndpointParams, object>(
  import.meta.url,
  "find-endpoint.sql",
  ["endpointId", "accountId"],
);

export interface FindTestParams {
  accountId: number;
}

export const findTest = statement<FindTestParams, object>(
  import.meta.url,
  "find-test.sql",
  ["accountId"],
);

export interface InsertTestParams {
  endpointId: number;
  accountId: number;
  testNumber: number;
  eventType: string;
  now: Date;
}

export interface InsertTestRow {
  id: number;
}

export const insertTest = statement<InsertTestParams, InsertTestRow>(
  import.meta.url,
  "insert-test.sql",
  ["endpointId", "accountId", "testNumber", "eventType", "now"],
);

export interface LockDeliveryParams {
  deliveryId: number;
  accountId: number;
  endpointId: number | null;
}

export interface LockDeliveryRow {
  active: boolean;
  isSubscribed: boolean | null;
  isRemoved: boolean;
}

export const lockDelivery = statement<LockDeliveryParams, LockDeliveryRow>(
  import.meta.url,
  "lock-delivery.sql",
  ["deliveryId", "accountId", "endpointId"],
);

export interface NeededEventsRow {
  up_to: number | null;
}

export const neededEvents = statement<void, NeededEventsRow>(
  import.meta.url,
  "needed-events.sql",
  [],
);

export interface OldestDueParams {
  now: Date;
}

export interface OldestDueRow {
  since: Date | null;
}

export const oldestDue = statement<OldestDueParams, OldestDueRow>(
  import.meta.url,
  "oldest-due.sql",
  ["now"],
);

export interface OldestUnfinishedRow {
  since: Date | null;
}

export const oldestUnfinished = statement<void, OldestUnfinishedRow>(
  import.meta.url,
  "oldest-unfinished.sql",
  [],
);

export interface QueueAgainParams {
  deliveryId: number;
  now: Date;
}

export const queueAgain = statement<QueueAgainParams, object>(
  import.meta.url,
  "queue-again.sql",
  ["deliveryId", "now"],
);

export interface QueueStateParams {
  now: Date;
  lostSince: Date;
}

export interface QueueStateRow {
  queued: number;
  due: number;
  sending: number;
  failed: number;
  cancelled: number;
}

export const queueState = statement<QueueStateParams, QueueStateRow>(
  import.meta.url,
  "queue-state.sql",
  ["now", "lostSince"],
);

export interface ReadDeliveryParams {
  deliveryId: number;
  accountId: number;
}

export interface ReadDeliveryRow {
  delivery_id: number;
  endpoint_id: number;
  event_id: number;
  event_type: EventType;
  is_test: boolean;
  status: DeliveryStatus;
  cancel_reason: CancelReason | null;
  created_at: Date;
  due_at: Date;
  finished_at: Date | null;
  id: number | null;
  type: EventType | null;
  country: string | null;
  usdot: number | null;
  docket: string | null;
  state: string | null;
  occurred_on: string | null;
  detected_at: Date | null;
  source_dataset: string | null;
  verify_method: string | null;
  data: EventData | null;
  attempts: RecordedAttempt[];
  payload: Payload;
  secret_sealed: Buffer;
  previous_secret_sealed: Buffer | null;
}

export const readDelivery = statement<ReadDeliveryParams, ReadDeliveryRow>(
  import.meta.url,
  "read-delivery.sql",
  ["deliveryId", "accountId"],
);

export interface TestAllowanceParams {
  endpointId: number;
  accountId: number;
  minuteAgo: Date;
  perEndpoint: number;
  perAccount: number;
}

export interface TestAllowanceRow {
  event_type: string;
  since: Date | null;
}

export const testAllowance = statement<TestAllowanceParams, TestAllowanceRow>(
  import.meta.url,
  "test-allowance.sql",
  ["endpointId", "accountId", "minuteAgo", "perEndpoint", "perAccount"],
);
