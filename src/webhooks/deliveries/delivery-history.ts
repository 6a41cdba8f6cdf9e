import type { EventType } from "../../events/event-types.ts";
import type { Context } from "../../platform/context.ts";
import type { FailureReason } from "../egress/reasons.ts";
import type { CancelReason } from "./cancel-queued.ts";
import { deliveredEventId } from "./delivery-body.ts";
import * as sql from "./statements.ts";

/** The states of a delivery. A queued one waits for an attempt, or is being sent. */
export const DELIVERY_STATUSES = ["queued", "delivered", "failed", "cancelled"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

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
  event_id: string;
  event_type: EventType;
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
  /** Only deliveries of this event type, or only test deliveries. */
  type?: EventType | "test";
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
  { db }: Context,
  asked: AskedDeliveries,
): Promise<DeliveryShown[] | null> {
  const { endpointId, accountId = null, limit } = asked;
  const endpoint = await sql.findEndpoint.run(db.pool, { endpointId, accountId });
  if (endpoint.rowCount === 0) return null;
  const { status = null, type = null, from = null, to = null, before = null } = asked;
  const { rows } = await sql.deliveryHistory.run(db.pool, {
    endpointId,
    most: limit,
    status,
    eventType: type,
    from,
    to,
    before,
  });
  return rows.map((row) => ({
    ...row,
    event_id: deliveredEventId(row.event_id),
    created_at: row.created_at.toISOString(),
    due_at: row.status === "queued" ? row.due_at.toISOString() : null,
    finished_at: row.finished_at?.toISOString() ?? null,
    attempts: row.attempts.map((tried) => ({
      ...tried,
      started_at: new Date(tried.started_at).toISOString(),
    })),
  }));
}
