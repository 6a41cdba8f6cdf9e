import type pg from "pg";
import type { EventType } from "../../events/event-types.ts";

/** Why a queued delivery was cancelled: the values of `cancel_reason` that this module writes. */
export type CancelReason = "paused" | "plan_changed" | "unsubscribed" | "deleted";

/** Dispatchers cancel the rest of a longer queue later, so that the caller need not wait. None of it is sent meanwhile. */
const CANCELLED_AT_ONCE = 10_000;

/**
 * Cancels the queued deliveries of an endpoint, or only those of some event types. Test deliveries are still sent, unless
 * the endpoint is deleted. Call it in the transaction of the change that forbids the deliveries, after that change: then
 * it also sees deliveries that were queued while the change waited for the endpoint's lock.
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
