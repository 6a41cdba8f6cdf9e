import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../../../src/platform/context.ts";
import { resendDelivery } from "../../../../src/webhooks/deliveries/resend.ts";
import type { Dispatcher } from "../../../../src/webhooks/dispatch/dispatcher.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { openTestContext } from "../../../support/context.ts";
import { changeRows, removeRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { putManyDeliveries, retryEach } from "../../../support/webhooks/deliveries.ts";
import {
  deliveryCounts,
  isSignedWith,
  LOOPBACK_ENV,
  putManyEvents,
  quieten,
  startTestDispatcher,
  until,
  untilIdle,
} from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { type Receiver, startReceiver } from "../../../support/webhooks/receiver.ts";
import { FORBIDDING, USDOT } from "./forbidding-changes.ts";

let service: TestService;
let receiver: Receiver;
let second: Context;
let dispatchers: Dispatcher[] = [];

beforeAll(async () => {
  service = await startTestService({ env: LOOPBACK_ENV });
  receiver = await startReceiver();
  second = await openTestContext(service.context.config.databaseUrl ?? "", service.clock);
});
beforeEach(async () => {
  await quieten(service.context);
  receiver.received.length = 0;
  return stopDispatchers;
});
afterAll(async () => {
  await receiver.close();
  await second.db.close();
  await service.stop();
});

/** Stops them. Then the result of each send is recorded. */
async function stopDispatchers(): Promise<void> {
  await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
  dispatchers = [];
}

async function customer() {
  const account = await service.createAccount({
    feeds: { us_new_authority_weekly: null },
    requestsPerMinute: 10_000,
  });
  const endpoint = await registerEndpoint(service.context, account.accountId, { url: `${receiver.url}/in` });
  return { ...account, ...endpoint };
}

/** Whether a session waits for the lock that serialises changes and sends. */
async function isWaitedFor(): Promise<boolean> {
  const { rows } = await service.context.db.pool.query<{ waits: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 72707372 AND NOT granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS waits`,
  );
  return rows[0]?.waits === true;
}

describe.each(FORBIDDING)("%s", (_name, reason, change) => {
  it("is not committed between a dispatcher's read and its send", async () => {
    const one = await customer();
    const changed = await service.context.db.transaction(async (client) => {
      await client.query("SELECT pg_advisory_xact_lock_shared(72707372)");
      let isChanged = false;
      const changing = change(service, one).then(() => {
        isChanged = true;
      });
      await until(isWaitedFor);
      expect(isChanged).toBe(false);
      return { changing };
    });
    await changed.changing;
    await removeRows(service.context.db.pool, "suppressed_business");
  });

  it("prevents all attempts once it is committed, with 1,000 queued and two dispatchers", async () => {
    const one = await customer();
    await putManyEvents(service.context, 1_000, { usdot: USDOT });
    await fanOut(service.context);
    dispatchers = [service.context, second].map((context) => startTestDispatcher(context));
    await receiver.arrival(50);
    await change(service, one);
    const committedAt = service.clock.now();
    service.clock.advance(1_000);
    await untilIdle(service.context);
    await until(async () => !("queued" in (await deliveryCounts(service.context))));
    await stopDispatchers();
    const { rows } = await service.context.db.pool.query<{ late: number; early: number }>(
      `SELECT count(*) FILTER (WHERE started_at > $1) AS late, count(*) AS early
       FROM webhook_result WHERE attempt IS NOT NULL`,
      [committedAt],
    );
    expect(rows[0]?.late).toBe(0);
    const started = rows[0]?.early ?? 0;
    expect(started).toBeGreaterThanOrEqual(50);
    expect(started).toBe(receiver.received.length);
    const counts = await service.context.db.pool.query(
      "SELECT status, cancel_reason, count(*) AS count FROM webhook_delivery_state GROUP BY status, cancel_reason ORDER BY status",
    );
    expect(counts.rows).toEqual([
      { status: "cancelled", cancel_reason: reason, count: 1_000 - started },
      { status: "delivered", cancel_reason: null, count: started },
    ]);
    await removeRows(service.context.db.pool, "suppressed_business");
  });
});

it("a correction of an event is in the next delivery of it, also by a dispatcher that has sent it before", async () => {
  const { accountId } = await customer();
  await putManyEvents(service.context, 1, { usdot: USDOT });
  await fanOut(service.context);
  dispatchers = [startTestDispatcher(service.context)];
  await receiver.arrival(1);
  await untilIdle(service.context);
  const { pool } = service.context.db;
  const { rows } = await pool.query<{ id: number }>(
    "SELECT id FROM webhook_delivery ORDER BY id DESC LIMIT 1",
  );
  await changeRows(
    pool,
    "event",
    { data: { legal_name: "ACME FREIGHT LLC", correction: "withdrawn" } },
    { usdot: USDOT },
  );
  expect(await resendDelivery(service.context, accountId, rows[0]?.id ?? 0)).toBe("queued");
  await receiver.arrival(2);
  const [before, after] = receiver.received.map(({ body }) => JSON.parse(String(body)).data.data.correction);
  expect([before, after]).toEqual([undefined, "withdrawn"]);
});

describe("rotating the secret", () => {
  it("is not committed between a dispatcher's read and its send with the old secret", async () => {
    const { id, key } = await customer();
    const { rotating } = await service.context.db.transaction(async (client) => {
      await client.query("SELECT pg_advisory_xact_lock_shared(72707372)");
      const asked = service.send("POST", `/v1/webhooks/${id}/rotate`, { key });
      await until(isWaitedFor);
      return { rotating: asked };
    });
    expect((await rotating).status).toBe(200);
  });

  it("prevents old signatures on all attempts that start after the answer, also on retries", async () => {
    const { id, key, secret } = await customer();
    const [deliveries, rotations] = [300, 15];
    // Some are retried, long after the secret at their queueing was replaced.
    receiver.answerWith(({ headers }) =>
      headers["service-delivery-attempt"] === "1" && Number(headers["service-delivery-id"]) % 5 === 0
        ? 500
        : 204,
    );
    await putManyEvents(service.context, deliveries);
    await fanOut(service.context);
    dispatchers = [service.context, second].map((context) => startTestDispatcher(context));
    const secrets = [{ secret, sinceSeconds: 0 }];
    for (let rotation = 1; rotation <= rotations; rotation++) {
      await receiver.arrival((rotation * deliveries) / (rotations + 5));
      const answer = await service.send("POST", `/v1/webhooks/${id}/rotate`, { key });
      const rotated = (await answer.json()) as { secret: string };
      service.clock.advance(1_000);
      secrets.push({ secret: rotated.secret, sinceSeconds: service.clock.now().getTime() / 1000 });
    }
    await until(async () => {
      service.clock.advance(1_000);
      return (await deliveryCounts(service.context)).delivered === deliveries;
    });
    const isRight = (received: (typeof receiver.received)[number]) => {
      const startedSeconds = Number(/^t=(\d+)/.exec(String(received.headers["service-signature"]))?.[1]);
      const current = secrets.findLastIndex(({ sinceSeconds }) => sinceSeconds <= startedSeconds);
      // In the second before an answer the new secret may have been in use already.
      return [current, current + 1].some((index) => isSignedWith(secrets[index]?.secret ?? "", received));
    };
    expect(receiver.received.filter((received) => !isRight(received))).toEqual([]);
    expect(receiver.received.length).toBeGreaterThan(deliveries);
  });
});

describe("a plan without any of an endpoint's types", () => {
  it("pauses the endpoint, with the reason", async () => {
    const { id, planCode } = await customer();
    const other = await customer();
    await service.context.db.prisma.planFeed.deleteMany({ where: { planCode } });
    dispatchers = [startTestDispatcher(service.context)];
    const endpointOf = (endpointId: number) =>
      service.context.db.prisma.webhookEndpoint.findUniqueOrThrow({ where: { id: endpointId } });
    await until(async () => !(await endpointOf(id)).active);
    expect((await endpointOf(id)).disabledReason).toBe("plan_changed");
    expect((await endpointOf(other.id)).active).toBe(true);
  });
});

describe("pausing an endpoint with a very long queue", () => {
  it("does not wait until all of it is cancelled, and a dispatcher cancels the rest", async () => {
    const { id, key } = await customer();
    await putManyDeliveries(service.context, id, 36_000);
    await retryEach(service.context, 3);
    await service.send("DELETE", `/v1/webhooks/${id}`, { key });
    expect(await deliveryCounts(service.context)).toEqual({ cancelled: 34_000, queued: 2_000 });
    dispatchers = [startTestDispatcher(service.context)];
    await until(
      async () => (await service.context.db.pool.query("SELECT FROM webhook_retry")).rowCount === 0,
    );
    expect(await deliveryCounts(service.context)).toEqual({ cancelled: 36_000 });
    expect(receiver.received).toEqual([]);
  });
});
