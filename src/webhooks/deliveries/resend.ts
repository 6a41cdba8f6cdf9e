import type { Context } from "../../platform/context.ts";

/** Outcome of sending a delivery again. `unsubscribed`: the endpoint no longer has its event type. */
export type Resending = "queued" | "not_found" | "paused" | "unsubscribed" | "under_way" | "removed";

/**
 * Queues a delivery of the account again, due now and with its whole retry schedule. Its ids stay. Test deliveries are
 * not found: they are sent only once.
 */
export async function resendDelivery(
  context: Context,
  accountId: number,
  deliveryId: number,
): Promise<Resending> {
  const now = context.clock.now();
  return context.db.transaction(async (client) => {
    const { rows } = await client.query<{ active: boolean; isSubscribed: boolean; isRemoved: boolean }>(
      `SELECT endpoint.active, delivery.event_type = ANY (endpoint.event_types) AS "isSubscribed",
         event.id IS NULL AS "isRemoved"
       FROM webhook_delivery AS delivery
       JOIN webhook_endpoint AS endpoint ON endpoint.id = delivery.endpoint_id AND endpoint.deleted_at IS NULL
       LEFT JOIN visible_event AS event ON event.id = delivery.event_id
       WHERE delivery.id = $1::bigint AND delivery.account_id = $2 AND NOT delivery.is_test
       -- A pause of the endpoint blocks on this lock and then cancels the delivery queued here.
       FOR NO KEY UPDATE OF endpoint`,
      [deliveryId, accountId],
    );
    const [delivery] = rows;
    if (!delivery) return "not_found";
    if (!delivery.active) return "paused";
    if (!delivery.isSubscribed) return "unsubscribed";
    if (delivery.isRemoved) return "removed";
    const { rowCount } = await client.query(
      `UPDATE webhook_delivery
       SET status = 'queued', due_at = $2, failures = 0, cancel_reason = NULL, finished_at = NULL, lease_until = NULL
       WHERE id = (
         -- A dispatcher that records it holds this row and locks the endpoint next: waiting for it would deadlock.
         SELECT id FROM webhook_delivery
         WHERE id = $1::bigint
           AND (status IN ('delivered', 'failed', 'cancelled') OR (status = 'queued' AND failures > 0))
         FOR NO KEY UPDATE SKIP LOCKED)`,
      [deliveryId, now],
    );
    return rowCount === 1 ? "queued" : "under_way";
  });
}
