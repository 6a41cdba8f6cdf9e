import * as sql from "../../generated/sql/webhooks/queue.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import type { DeliveredType } from "./delivered-type.ts";

/** Why a delivery was cancelled: the values of `cancel_reason`. */
export const CANCEL_REASONS = ["paused", "plan_changed", "unsubscribed", "deleted", "removed"] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

/** Dispatchers cancel the rest later, so that the caller need not wait. None of it is sent meanwhile. */
const CANCELLED_AT_ONCE = 10_000;

interface Cancelling {
  endpointId: number;
  reason: CancelReason;
  now: Date;
  eventTypes?: readonly DeliveredType[] | null;
}

/**
 * Cancels the queued deliveries of an endpoint, or only those of some event types. Test deliveries are still sent, unless
 * the endpoint is deleted. Call it in the transaction of the change that forbids the deliveries, after that change.
 */
export async function cancelQueued(client: Queryable, cancelling: Cancelling): Promise<void> {
  const { endpointId, reason, now, eventTypes = null } = cancelling;
  await sql.cancelRange(client, { endpointId, now, reason, eventTypes });
  await cancelRetries(client, cancelling);
}

/** Cancels deliveries, or corrections alone, of an endpoint that wait for another attempt, up to 10,000; gives how many. */
export function cancelRetries(
  client: Queryable,
  {
    endpointId,
    reason,
    now,
    eventTypes = null,
    onlyCorrections = false,
  }: Cancelling & { onlyCorrections?: boolean },
): Promise<number> {
  return sql.cancelRetries(client, {
    endpointId,
    now,
    reason,
    isTest: reason === "deleted" ? [false, true] : [false],
    eventTypes,
    most: CANCELLED_AT_ONCE,
    onlyCorrections,
  });
}
