import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { systemClock } from "../../../../src/platform/clock.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { startDispatcherProcess } from "../../../support/processes/dispatcher-processes.ts";
import { startTestService } from "../../../support/service.ts";
import { LOOPBACK_ENV, putManyEvents, startTestDispatcher } from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { startReceiver } from "../../../support/webhooks/receiver.ts";

/**
 * The time in seconds in which 95% of the deliveries to 19 healthy endpoints arrive, with or without a 20th that hangs
 * and has 500 queued ahead.
 */
async function healthyP95({ isOneHanging }: { isOneHanging: boolean }): Promise<number> {
  const service = await startTestService({ env: LOOPBACK_ENV });
  const arrivals: number[] = [];
  const receiver = await startReceiver(async ({ path }) => {
    if (path === "/hanging") return isOneHanging ? "nothing" : 204;
    // A typical network distance of receivers.
    await delay(20);
    arrivals.push(performance.now());
    return 204;
  });
  const registered = async (path: string) => {
    const { accountId } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
    await registerEndpoint(service.context, accountId, { url: receiver.url + path });
  };
  await registered("/hanging");
  await putManyEvents(service.context, 400);
  await fanOut(service.context);
  for (let number = 0; number < 19; number++) await registered(`/${number}`);
  await putManyEvents(service.context, 100);
  await fanOut(service.context);
  const startedAt = performance.now();
  const dispatcher = startTestDispatcher({ ...service.context }, { timeoutMs: 15_000, graceMs: 0 });
  while (arrivals.length < 1_900) await delay(20);
  await dispatcher.stop();
  await receiver.close();
  await service.stop();
  return ((arrivals[Math.floor(1_900 * 0.95)] ?? 0) - startedAt) / 1000;
}

it("one hanging receiver among twenty delays the others by no more than half", async () => {
  await healthyP95({ isOneHanging: false });
  const without = await healthyP95({ isOneHanging: false });
  const beside = await healthyP95({ isOneHanging: true });
  console.log({ without, beside });
  expect(beside).toBeLessThanOrEqual(1.5 * without);
});

it("a dispatcher exits within 25 s of SIGTERM, with 0, although a receiver hangs", async () => {
  const service = await startTestService({
    env: LOOPBACK_ENV,
    clock: { ...systemClock, set() {}, advance() {} },
  });
  const receiver = await startReceiver(() => "nothing");
  const { accountId } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
  for (let number = 0; number < 5; number += 1)
    await registerEndpoint(service.context, accountId, { url: `${receiver.url}/${number}` });
  const dispatcher = await startDispatcherProcess(service.context.config.databaseUrl ?? "");
  await putManyEvents(service.context, 1);
  await receiver.arrival(5);
  const toldAt = performance.now();
  expect(await dispatcher.stop()).toBe(0);
  expect(performance.now() - toldAt).toBeLessThan(25_000);
  const { rows } = await service.context.db.pool.query(
    `SELECT status, reason, count(*) AS count
     FROM webhook_delivery_state JOIN webhook_result ON delivery_id = id GROUP BY status, reason`,
  );
  expect(rows).toEqual([{ status: "queued", reason: "timed_out", count: 5 }]);
  await receiver.close();
  await service.stop();
});
