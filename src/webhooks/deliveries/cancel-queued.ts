import type { EventType } from "../../events/event-types.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import * as sql from "./statements.ts";

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
