import { CARRIED_TYPES } from "../../events/event-types.ts";
import * as sql from "../../generated/sql/webhooks/deliveries.ts";
import type { components } from "../../generated/types.ts";
import type { Context } from "../../platform/context.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import { endpointPaused } from "../endpoints/endpoints.ts";
import { noSuchDelivery } from "./read-delivery.ts";

/** Outcome of sending a delivery again. `unsubscribed`: the endpoint no longer asks for it. */
export type Resending =
  | "queued"
  | "not_found"
  | "paused"
  | "unsubscribed"
  | "under_way"
  | "removed"
  | "not_in_plan";

/**
 * Queues a delivery of an endpoint again, as `resendDelivery` does. ProblemError not_found, endpoint_paused, not_subscribed.
 */
export async function sendAgain(
  context: Context,
  accountId: number,
  { endpointId, deliveryId }: { endpointId: number; deliveryId: number },
): Promise<components["schemas"]["DeliveryQueuedOut"]> {
  const outcome = await resendDelivery(context, accountId, deliveryId, endpointId);
  if (outcome === "not_found" || outcome === "removed" || outcome === "not_in_plan") throw noSuchDelivery();
  if (outcome === "paused") throw endpointPaused(endpointId);
  if (outcome === "unsubscribed") {
    throw new ProblemError(
      "not_subscribed",
      "The endpoint no longer asks for what this delivery tells. Add its type to event_types, or set corrections or changes, then send again.",
    );
  }
  return { delivery_id: deliveryId, endpoint_id: endpointId, status: "queued" };
}

/**
 * Queues a delivery of the account again, due now and with its whole retry schedule. Its ids stay. Test deliveries are
 * not found: they are sent only once.
 */
export async function resendDelivery(
  context: Context,
  accountId: number,
  deliveryId: number,
  endpointId: number | null = null,
): Promise<Resending> {
  const now = context.clock.now();
  return context.db.transaction(async (client) => {
    const asked = { deliveryId, accountId, endpointId, carriedTypes: CARRIED_TYPES };
    const delivery = await sql.lockDelivery(client, asked);
    if (!delivery) return "not_found";
    if (!delivery.active) return "paused";
    if (!delivery.isSubscribed) return "unsubscribed";
    if (delivery.isRemoved) return "removed";
    if (!delivery.isInPlan) return "not_in_plan";
    const rowCount = await sql.queueAgain(client, { deliveryId, now });
    return rowCount === 1 ? "queued" : "under_way";
  });
}
