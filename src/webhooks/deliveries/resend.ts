import type { Context } from "../../platform/context.ts";
import * as sql from "./statements.ts";

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
    const { rows } = await sql.lockDelivery.run(client, { deliveryId, accountId });
    const [delivery] = rows;
    if (!delivery) return "not_found";
    if (!delivery.active) return "paused";
    if (!delivery.isSubscribed) return "unsubscribed";
    if (delivery.isRemoved) return "removed";
    const { rowCount } = await sql.queueAgain.run(client, { deliveryId, now });
    return rowCount === 1 ? "queued" : "under_way";
  });
}
