import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readFresh } from "../../../../src/generated/sql/webhooks/dispatch.ts";
import { fill } from "../../../../src/webhooks/dispatch/finder.ts";
import { SendQueue } from "../../../../src/webhooks/dispatch/queue.ts";
import type { Queued } from "../../../../src/webhooks/dispatch/queued.ts";
import { planOf } from "../../../support/database/query-plan.ts";
import { putDelivery, putManyDeliveries, putRetry } from "../../../support/webhooks/deliveries.ts";
import { accountWith, queueEvents, service, useSilentReceiver } from "./silent-receiver.ts";

useSilentReceiver();

describe("dispatchers", () => {
  it("read a few pages of a queue, however long it is", async () => {
    const hot = await accountWith(1);
    await putManyDeliveries(service.context, hot.endpointIds[0] ?? 0, 50_000);
    const quiet = await accountWith(1);
    await queueEvents(1);
    expect(await pagesOfReading([...hot.endpointIds, ...quiet.endpointIds])).toBeLessThan(1_000);
  });

  it("read few pages of many endpoints' queues, even with statistics from when all was empty", async () => {
    const accounts = await Promise.all(Array.from({ length: 20 }, () => accountWith(2)));
    await service.context.db.bulkPool.query("ANALYZE webhook_delivery, webhook_result");
    const endpointIds = accounts.flatMap((account) => account.endpointIds);
    for (const endpointId of endpointIds) await putManyDeliveries(service.context, endpointId, 500);
    expect(await pagesOfReading(endpointIds)).toBeLessThan(2_400);
  });

  it("find a retry once, although it is recorded while they look for more", async () => {
    const { accountId, endpointIds } = await accountWith(1);
    const [endpointId = 0] = endpointIds;
    await putRetry(service.context, await putDelivery(service.context, { endpointId }));
    const queue = queueWith(endpointId, accountId);
    expect(await fill(service.context, queue)).toBe(1);
    const queued = queue.next() as Queued;
    queue.markWork(endpointId, accountId, { freshTo: null });
    const filling = fill(service.context, queue);
    // The statement is on its way.
    await setImmediate();
    queue.finish(queued);
    expect(await filling).toBe(0);
  });

  it("read new deliveries again when the reading of retries fails after it", async () => {
    const { accountId, endpointIds } = await accountWith(1);
    const [endpointId = 0] = endpointIds;
    const deliveryId = await putDelivery(service.context, { endpointId });
    const queue = queueWith(endpointId, accountId);
    // The server refuses the time up to which retries are due.
    const failing = { ...service.context, clock: { now: () => new Date(Number.NaN) } };
    await expect(fill(failing, queue)).rejects.toThrow();
    expect(await fill(service.context, queue)).toBe(1);
    expect(queue.next()?.id).toBe(deliveryId);
  });
});

/** A queue with one endpoint, which nothing was read for. */
function queueWith(endpointId: number, accountId: number): SendQueue {
  const limits = { slots: 50, perEndpoint: 5, perAccount: 10, toUnknown: 5, toSlow: 5 };
  const queue = new SendQueue({ isTest: false, ...limits });
  queue.addAccount(accountId);
  queue.addEndpoint(endpointId, accountId);
  return queue;
}

/** How many pages of tables and indexes it takes to read the next deliveries of endpoints, according to the server. */
async function pagesOfReading(endpointIds: readonly number[]): Promise<number> {
  const values = [endpointIds, endpointIds.map(() => 0), endpointIds.map(() => true), 40];
  const plan = await planOf(service.context.db.pool, "ANALYZE, BUFFERS", readFresh.text, values);
  return (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
}
