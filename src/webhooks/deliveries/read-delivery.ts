import type { EventRow } from "../../events/event-row.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { deliveredEventId, deliveryBody, testDeliveryBody } from "./delivery-body.ts";
import type { AttemptShown, DeliveryShown } from "./delivery-history.ts";
import { deliveryOut } from "./delivery-out.ts";
import * as sql from "./statements.ts";

/** An attempt with the Service-Signature header that was sent. */
export type SignedAttempt = AttemptShown & { signature: string };

/** A delivery with the body and signatures that are sent. */
export interface DeliveryDetail extends DeliveryShown {
  endpoint_id: number;
  /** The exact bytes; null when the event was deleted or its business is on the removal list. */
  body: string | null;
  attempts: SignedAttempt[];
}

/** A delivery of the account; null if it has none with that id. */
export async function readDelivery(
  { db }: Context,
  accountId: number,
  deliveryId: number,
): Promise<DeliveryDetail | null> {
  const { rows } = await sql.readDelivery.run(db.pool, { deliveryId, accountId });
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

/** A delivery of an endpoint in the contract's form. ProblemError not_found. */
export async function showDelivery(
  context: Context,
  accountId: number,
  { endpointId, deliveryId }: { endpointId: number; deliveryId: number },
): Promise<components["schemas"]["DeliveryDetailOut"]> {
  const delivery = await readDelivery(context, accountId, deliveryId);
  if (delivery === null || delivery.endpoint_id !== endpointId) throw noSuchDelivery();
  return { ...deliveryOut(endpointId, delivery), body: delivery.body };
}

/** The same error for another account's delivery, for none, and for one that can no longer be sent. */
export const noSuchDelivery = (): ProblemError =>
  new ProblemError("not_found", "Your account has no such delivery, or it can no longer be sent or shown.");

// Rendered from the event each time: no copy of a business's data outlives its removal.
function bodyOf(row: sql.ReadDeliveryRow): string | null {
  if (row.is_test) {
    const { event_id: eventId, event_type: type, created_at: queuedAt } = row;
    return testDeliveryBody({ eventId, type, queuedAt });
  }
  return row.id === null ? null : deliveryBody(row as EventRow);
}
