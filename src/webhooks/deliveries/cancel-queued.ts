import type { EventType } from "../../events/event-types.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import * as sql from "./statements.ts";

/** Why a queued delivery was cancelled: the values of `cancel_reason` that this module writes. */
export const CANCEL_REASONS = ["paused", "plan_changed", "unsubscribed", "deleted", "removed"] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

/** Dispatchers cancel the rest of a longer queue later, so that the caller need not wait. None of it is sent meanwhile. */
const CANCELLED_AT_ONCE = 10_000;

/**
 * Cancels the queued deliveries of an endpoint, or only those of some event types. Test deliveries are still sent, unless
 * the endpoint is deleted. Call it in the transaction of the change that forbids the deliveries, after that change: then
 * it also sees deliveries that were queued while the change waited for the endpoint's lock.
 */
export async function cancelQueued(
  client: Queryable,
  {
    endpointId,
    reason,
    now,
    eventTypes = null,
  }: { endpointId: number; reason: CancelReason; now: Date; eventTypes?: readonly EventType[] | null },
): Promise<void> {
  await sql.cancelQueued.run(client, {
    endpointId,
    now,
    reason,
    isTest: reason === "deleted" ? [false, true] : [false],
    eventTypes,
    most: CANCELLED_AT_ONCE,
  });
}
