import type pg from "pg";
import type { EventType } from "../../events/event-types.ts";

/** Why a delivery is not sent, as `cancel_reason` says it. */
export const CANCEL_REASONS = ["paused", "plan_changed", "unsubscribed", "deleted", "removed"] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

/** Of a queue that is longer, dispatchers cancel the rest: nobody is to wait for that, and nothing of it is sent. */
const CANCELLED_AT_ONCE = 10_000;

/**
 * Cancels what is queued for an endpoint, or of some event types alone. Test deliveries go out all the same, unless the
 * endpoint is deleted. Runs in the transaction of the change that forbids it, behind the change: as a statement of its
 * own it sees what was queued while the change waited for the endpoint.
 */
export async function cancelQueued(
  client: Pick<pg.ClientBase, "query">,
  {
    endpointId,
    reason,
    now,
    eventTypes = null,
  }: { endpointId: number; reason: CancelReason; now: Date; eventTypes?: readonly EventType[] | null },
): Promise<void> {
  await client.query(
    `UPDATE webhook_delivery SET status = 'cancelled', cancel_reason = $3, finished_at = $2
     -- A list, so that the queue is read once, whatever the statistics of a table that has just grown make of it.
     WHERE id = ANY (ARRAY(
       SELECT id FROM webhook_delivery
       WHERE endpoint_id = $1 AND status = 'queued' AND is_test = ANY ($4::boolean[])
         AND ($5::text[] IS NULL OR event_type = ANY ($5::text[]))
       LIMIT ${CANCELLED_AT_ONCE}
       FOR NO KEY UPDATE))`,
    [endpointId, now, reason, reason === "deleted" ? [false, true] : [false], eventTypes],
  );
}
