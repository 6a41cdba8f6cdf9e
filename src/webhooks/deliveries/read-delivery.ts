import type { EventRow } from "../../events/event-row.ts";
import type { EventType } from "../../events/event-types.ts";
import type { Context } from "../../platform/context.ts";
import { loadSql } from "../../platform/database/sql.ts";
import { deliveredEventId, deliveryBody, testDeliveryBody } from "./delivery-body.ts";
import type { AttemptShown, DeliveryShown } from "./delivery-history.ts";

const DELIVERY_SQL = loadSql(import.meta.url, "read-delivery.sql");

/** A delivery with the body and signatures that are sent. */
export interface DeliveryDetail extends DeliveryShown {
  endpoint_id: number;
  /** The exact bytes; null when the event was deleted or its business is on the removal list. */
  body: string | null;
  /** With the Service-Signature header of each. */
  attempts: (AttemptShown & { signature: string })[];
}

type DeliveryRow = Omit<DeliveryDetail, "event_id" | "created_at" | "due_at" | "finished_at" | "body"> & {
  delivery_id: number;
  event_id: number;
  created_at: Date;
  due_at: Date;
  finished_at: Date | null;
} & (EventRow | { [Column in keyof EventRow]: null });

/** A delivery of the account; null when the account has no delivery of that id. */
export async function readDelivery(
  { db }: Context,
  accountId: number,
  deliveryId: number,
): Promise<DeliveryDetail | null> {
  const { rows } = await db.pool.query<DeliveryRow>(DELIVERY_SQL, [deliveryId, accountId]);
  const [row] = rows;
  if (!row) return null;
  return {
    id: row.delivery_id,
    endpoint_id: row.endpoint_id,
    event_id: deliveredEventId(row.event_id),
    event_type: row.event_type,
    is_test: row.is_test,
    status: row.status,
    cancel_reason: row.cancel_reason,
    created_at: row.created_at.toISOString(),
    due_at: row.status === "queued" ? row.due_at.toISOString() : null,
    finished_at: row.finished_at?.toISOString() ?? null,
    body: bodyOf(row),
    attempts: row.attempts.map((tried) => ({
      ...tried,
      started_at: new Date(tried.started_at).toISOString(),
    })),
  };
}

// Rendered from the event each time: no copy of a business's data outlives its removal.
function bodyOf(row: DeliveryRow): string | null {
  if (row.is_test) {
    const { event_id: eventId, event_type: type, created_at: queuedAt } = row;
    return testDeliveryBody({ eventId, type: type as EventType, queuedAt });
  }
  return row.id === null ? null : deliveryBody(row as EventRow);
}
