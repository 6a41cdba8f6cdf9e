import type { Context } from "../../../src/platform/context.ts";
import { queueTestDelivery } from "../../../src/webhooks/deliveries/test-delivery.ts";
import type { TestService } from "../service.ts";
import { putDelivery } from "../webhooks/deliveries.ts";
import { startTestDispatcher, untilIdle } from "../webhooks/dispatching.ts";
import { registerEndpoint } from "../webhooks/endpoints.ts";
import { startReceiver } from "../webhooks/receiver.ts";

/** Two endpoints, one of them with a delivery of every outcome. */
export async function deliver(
  { context }: TestService,
  accountId: number,
): Promise<{ endpointId: number; deliveryId: number; stopReceiver: () => Promise<void> }> {
  const receiver = await startReceiver();
  const { id: endpointId } = await registerEndpoint(context, accountId, {
    url: `${receiver.url}/hooks/trucking?tenant=acme`,
    description: "Nightly sync",
  });
  await registerEndpoint(context, accountId, { url: "https://hooks.example.com/a/second/one" });
  const { delivery_id: deliveryId } = await queueTestDelivery(context, accountId, endpointId);
  const dispatcher = startTestDispatcher(context);
  await untilIdle(context);
  await dispatcher.stop();
  const outcomes = ["failed", "cancelled", "queued"];
  const events = await grants(context, outcomes.length);
  for (const [index, status] of outcomes.entries()) {
    await putDelivery(context, { endpointId, status, eventId: events[index]?.id ?? 0 });
  }
  return { endpointId, deliveryId, stopReceiver: receiver.close };
}

/** The newest grants of authority: their businesses are in a feed. */
export async function grants({ db }: Context, count: number): Promise<{ id: number; usdot: number }[]> {
  const { rows } = await db.pool.query<{ id: number; usdot: number }>(
    "SELECT id, usdot FROM event WHERE type = 'new_authority_granted' ORDER BY id DESC LIMIT $1",
    [count],
  );
  return rows;
}
