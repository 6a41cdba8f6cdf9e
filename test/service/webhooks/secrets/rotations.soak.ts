import { expect, it } from "vitest";
import { systemClock } from "../../../../src/platform/clock.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { startDispatcherProcess } from "../../../support/processes/dispatcher-processes.ts";
import { startTestService } from "../../../support/service.ts";
import { isSignedWith, LOOPBACK_ENV, putManyEvents } from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { type Received, startReceiver } from "../../../support/webhooks/receiver.ts";

const ROTATIONS = 1_000;
/**
 * On a busy machine the times of two processes differ by up to 4 ms: such attempts had arrived before the answer, by the
 * receiver's own clock.
 */
const CLOCK_ERROR_MS = 10;

it("1,000 rotations while two processes deliver: no attempt that starts after an answer has an old signature", async () => {
  const service = await startTestService({
    env: LOOPBACK_ENV,
    clock: { ...systemClock, set() {}, advance() {} },
  });
  const { context } = service;
  const arrivedMs = new Map<Received, number>();
  const receiver = await startReceiver((received) => {
    arrivedMs.set(received, performance.now());
    return 204;
  });
  const { accountId, key } = await service.createAccount({
    feeds: { us_new_authority_weekly: null },
    requestsPerMinute: 1_000_000,
  });
  const { id, secret } = await registerEndpoint(context, accountId, { url: receiver.url });
  const url = context.config.databaseUrl ?? "";
  const dispatchers = await Promise.all([startDispatcherProcess(url), startDispatcherProcess(url)]);
  /** Secrets with the time from which the previous one must not be used. */
  const secrets = [{ secret, answeredMs: 0, answeredAt: new Date(0) }];
  for (let rotation = 0; rotation < ROTATIONS; rotation++) {
    if (rotation % 50 === 0) {
      await putManyEvents(context, 500);
      await fanOut(context);
    }
    await receiver.arrival(rotation * 5);
    const answer = await service.send("POST", `/v1/webhooks/${id}/rotate`, { key });
    expect(answer.status).toBe(200);
    const rotated = (await answer.json()) as { secret: string };
    secrets.push({ secret: rotated.secret, answeredMs: performance.now(), answeredAt: new Date() });
  }
  await receiver.arrival((ROTATIONS / 50) * 500);
  for (const dispatcher of dispatchers) expect(await dispatcher.stop()).toBe(0);

  const { rows } = await context.db.pool.query<{ digest: string; started_at: Date }>(
    "SELECT encode(signature, 'hex') AS digest, started_at FROM webhook_result",
  );
  const startedAt = new Map(rows.map(({ digest, started_at }) => [digest, started_at]));
  let longestOnTheWayMs = 0;
  let old = 0;
  for (const received of receiver.received) {
    const index = secrets.findIndex(({ secret: one }) => isSignedWith(one, received));
    expect(index).toBeGreaterThanOrEqual(0);
    const next = secrets[index + 1];
    if (next === undefined) continue;
    const started = startedAt.get(String(received.headers["service-signature"]).slice(-64));
    if ((started?.getTime() ?? 0) > next.answeredAt.getTime() + CLOCK_ERROR_MS) old += 1;
    longestOnTheWayMs = Math.max(longestOnTheWayMs, (arrivedMs.get(received) ?? 0) - next.answeredMs);
  }
  console.log({ deliveries: receiver.received.length, longestOnTheWayMs });
  expect(old).toBe(0);
  await receiver.close();
  await service.stop();
});
