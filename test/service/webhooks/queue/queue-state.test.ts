import { afterAll, beforeAll, expect, it } from "vitest";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { queueState, watchQueue } from "../../../../src/webhooks/queue/queue-state.ts";
import { putEvents } from "../../../support/events/events.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { putDelivery, putResult, putRetry } from "../../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  watchQueue(service.context);
});
afterAll(() => service.stop());

async function shownAge(): Promise<number> {
  const metrics = await (await service.get("/metrics")).text();
  return Number(/^tdf_webhook_oldest_due_seconds (\S+)$/m.exec(metrics)?.[1]);
}

it("the age of the oldest due delivery grows while nothing dispatches, also for events not fanned out yet", async () => {
  expect(await shownAge()).toBe(0);
  await putEvents(service.context.db, [{ detectedAt: service.clock.now().toISOString() }]);
  service.clock.advance(1_000_000);
  // No endpoint wants events yet.
  expect(await shownAge()).toBe(0);
  const { accountId } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
  await registerEndpoint(service.context, accountId);
  await putEvents(service.context.db, [{ detectedAt: service.clock.now().toISOString() }]);
  service.clock.advance(60_000);
  expect(await shownAge()).toBe(60);
  await fanOut(service.context);
  expect(await shownAge()).toBe(0);
  service.clock.advance(90_000);
  expect(await shownAge()).toBe(90);
  expect(await queueState(service.context)).toEqual({
    queued: 1,
    due: 1,
    sending: 0,
    oldest_due_seconds: 90,
    failed_last_day: 0,
    cancelled_last_day: 0,
  });
});

it("waiting retries are queued and not due; failed and cancelled deliveries count for a day", async () => {
  const { context } = service;
  const now = context.clock.now();
  const [queued] = (
    await context.db.pool.query<{ id: number; endpoint_id: number }>(
      "SELECT id, endpoint_id FROM webhook_delivery",
    )
  ).rows;
  await putRetry(context, queued?.id ?? 0, { dueAt: new Date(now.getTime() + 60_000), failures: 1 });
  expect(await queueState(context)).toMatchObject({ queued: 1, due: 0, oldest_due_seconds: null });
  for (const [number, outcome] of ["failed", "cancelled", "failed", "cancelled"].entries()) {
    const id = await putDelivery(context, { endpointId: queued?.endpoint_id ?? 0 });
    await putResult(context, id, {
      outcome,
      endedAt: new Date(now.getTime() - (number + 1) * 10 * 3_600_000),
    });
  }
  expect(await queueState(context)).toMatchObject({ queued: 1, failed_last_day: 1, cancelled_last_day: 1 });
});
