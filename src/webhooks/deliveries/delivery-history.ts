import type { EventType } from "../../events/event-types.ts";
import type { Context } from "../../platform/context.ts";
import { loadSql } from "../../platform/database/sql.ts";
import type { FailureReason } from "../egress/reasons.ts";
import { deliveredEventId } from "./delivery-body.ts";

const HISTORY_SQL = loadSql(import.meta.url, "delivery-history.sql");

/** The states of a delivery. */
export const DELIVERY_STATUSES = ["queued", "sending", "delivered", "failed", "cancelled"] as const;
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
  /** paused, plan_changed, removed, unsubscribed; null unless it was cancelled. */
  cancel_reason: string | null;
  created_at: string;
  /** When the next attempt is due; null when there is none to come. */
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
  const { endpointId, accountId = null, status, type, from, to, before, limit } = asked;
  const endpoint = await db.pool.query(
    `SELECT FROM webhook_endpoint
     WHERE id = $1::bigint AND deleted_at IS NULL AND ($2::integer IS NULL OR account_id = $2)`,
    [endpointId, accountId],
  );
  if (endpoint.rowCount === 0) return null;
  const conditions = [status, type, from, to, before].map((condition) => condition ?? null);
  const { rows } = await db.pool.query<DeliveryRow>(HISTORY_SQL, [endpointId, limit, ...conditions]);
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

type DeliveryRow = Omit<DeliveryShown, "event_id" | "created_at" | "due_at" | "finished_at"> & {
  event_id: number;
  created_at: Date;
  due_at: Date;
  finished_at: Date | null;
};
