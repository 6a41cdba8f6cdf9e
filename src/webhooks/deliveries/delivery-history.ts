import * as sql from "../../generated/sql/webhooks/deliveries.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import type { FailureReason } from "../egress/reasons.ts";
import { findEndpoint } from "../endpoints/endpoints.ts";
import type { CancelReason } from "../queue/cancel-queued.ts";
import type { DeliveredType } from "../queue/delivered-type.ts";
import { deliveredChangeId } from "./change-delivery.ts";
import { deliveredCorrectionId, deliveredEventId } from "./delivery-body.ts";

/** The states of a delivery. A queued one waits for an attempt, or is being sent. */
export const DELIVERY_STATUSES = ["queued", "delivered", "failed", "cancelled"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Deliveries of an event type and of corrections of such events; or all of tests, of corrections or of changes. */
export type DeliveryType = DeliveredType | "test" | "correction";

/** One attempt to send a delivery. */
export interface AttemptShown {
  attempt: number;
  started_at: string;
  duration_ms: number;
  /** Status of the receiver's answer; null when there was none. */
  http_status: number | null;
  /** Why it failed; null when it was delivered. */
  reason: FailureReason | null;
}

/** A delivery with its attempts. */
export interface DeliveryShown {
  id: number;
  /** Null for a delivery that tells a change. */
  event_id: string | null;
  /** Of a delivery that tells a correction of the event; else null. */
  correction_id: string | null;
  /** Of a delivery that tells a change of a watched carrier; else null. */
  change_id: string | null;
  event_type: DeliveredType;
  is_test: boolean;
  status: DeliveryStatus;
  /** Null unless it was cancelled. */
  cancel_reason: CancelReason | null;
  created_at: string;
  /** When the next attempt is due; null if no attempt follows. */
  due_at: string | null;
  finished_at: string | null;
  attempts: AttemptShown[];
}

/** Selects deliveries of one endpoint. */
export interface AskedDeliveries {
  endpointId: number;
  /** With it, another account's endpoint is not found. Without it, as for operators, every endpoint is. */
  accountId?: number;
  status?: DeliveryStatus;
  type?: DeliveryType;
  /** Queued at this time or later… */
  from?: Date;
  /** …and before this time. */
  to?: Date;
  /** Only deliveries with a lower id. */
  before?: number;
  limit: number;
}

/** The newest of the selected deliveries; null when the endpoint does not exist or is another account's. */
export async function listDeliveries(
  context: Context,
  asked: AskedDeliveries,
): Promise<DeliveryShown[] | null> {
  const { endpointId, limit } = asked;
  if ((await findEndpoint(context, asked)) === null) return null;
  const { status = null, type = null, from = null, to = null, before = null } = asked;
  const rows = await sql.deliveryHistory(context.db.pool, {
    endpointId,
    most: limit,
    status,
    eventType: type,
    from,
    to,
    before,
  });
  return rows.map(({ attempts, ...row }) => shownDelivery(row, attempts.map(shownAttempt)));
}

/** A delivery's row as customers see it, with its attempts. */
export const shownDelivery = <Attempt>(row: StoredDelivery, attempts: Attempt[]) => ({
  id: row.id,
  event_id: row.event_id === null ? null : deliveredEventId(row.event_id),
  correction_id: row.correction_id === null ? null : deliveredCorrectionId(row.correction_id),
  change_id: row.change_id === null ? null : deliveredChangeId(row.change_id),
  event_type: row.event_type,
  is_test: row.is_test,
  status: row.status,
  cancel_reason: row.cancel_reason,
  created_at: row.created_at.toISOString(),
  due_at: row.status === "queued" ? row.due_at.toISOString() : null,
  finished_at: row.finished_at?.toISOString() ?? null,
  attempts,
});

type StoredDelivery = Omit<sql.DeliveryHistoryRow, "attempts">;

/** An attempt with its time in the contract's form. */
export const shownAttempt = <Attempt extends AttemptShown>(tried: Attempt): Attempt => ({
  ...tried,
  started_at: new Date(tried.started_at).toISOString(),
});

/** A delivery in the contract's form. */
export const deliveryOut = (
  endpointId: number,
  shown: DeliveryShown,
): components["schemas"]["DeliveryOut"] => ({
  delivery_id: shown.id,
  endpoint_id: endpointId,
  event_id: shown.event_id,
  correction_id: shown.correction_id,
  change_id: shown.change_id,
  type: shown.event_type,
  is_test: shown.is_test,
  status: shown.status,
  cancel_reason: shown.cancel_reason,
  created_at: shown.created_at,
  next_attempt_at: shown.due_at,
  finished_at: shown.finished_at,
  attempts: shown.attempts,
});
