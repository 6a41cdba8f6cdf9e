import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../../../src/platform/context.ts";
import { loadSql } from "../../../../src/platform/database/sql.ts";
import { fanOut } from "../../../../src/webhooks/deliveries/fan-out.ts";
import { queueTestDelivery } from "../../../../src/webhooks/deliveries/test-delivery.ts";
import { type Claimed, claim, type Lane } from "../../../../src/webhooks/dispatch/claim.ts";
import { takeTurn } from "../../../../src/webhooks/dispatch/turn.ts";
import { CARRIED_TYPES } from "../../../../src/webhooks/endpoints/carried-types.ts";
import { openTestContext } from "../../../support/context.ts";
import { putEvents } from "../../../support/events/events.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { attemptsOf, deliveriesOf, putPassedEvents } from "../../../support/webhooks/deliveries.ts";
import {
  deliveryCounts,
  LOOPBACK_ENV,
  quieten,
  startTestDispatcher,
  until,
} from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { type Receiver, startReceiver } from "../../../support/webhooks/receiver.ts";

const CLAIM_SQL = loadSql(new URL("../../../../src/webhooks/dispatch/", import.meta.url).href, "claim.sql");

let service: TestService;
let receiver: Receiver;

beforeAll(async () => {
  service = await startTestService({ env: LOOPBACK_ENV });
  receiver = await startReceiver(() => "nothing");
});
beforeEach(async () => {
  await quieten(service.context);
  receiver.received.length = 0;
});
afterAll(async () => {
  await receiver.close();
  await service.stop();
});

const MAIN: Lane = { isTest: false, slots: 50, perEndpoint: 5, perAccount: 10 };

/** Endpoints of one account, each with its own path. */
async function accountWith(endpointCount: number) {
  const { accountId } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
  const endpointIds: number[] = [];
  for (let number = 0; number < endpointCount; number++) {
    const url = `${receiver.url}/${accountId}/${number}`;
    endpointIds.push((await registerEndpoint(service.context, accountId, { url })).id);
  }
  return { accountId, endpointIds };
}

async function queueEvents(count: number): Promise<void> {
  await putEvents(
    service.context.db,
    Array.from({ length: count }, () => ({})),
  );
  await fanOut(service.context);
}

/** Queues deliveries of many events. */
async function queueMany(endpointId: number, count: number): Promise<void> {
  await putPassedEvents(service.context, count);
  await service.context.db.bulkPool.query(
    `INSERT INTO webhook_delivery (endpoint_id, account_id, event_id, event_type, status, due_at, created_at)
     SELECT id, account_id, -number, 'new_authority_granted', 'queued', $3, $3
     FROM webhook_endpoint, generate_series(1, $2) AS number WHERE id = $1`,
    [endpointId, count, service.clock.now()],
  );
}

/** Claims like a process with `most` free slots; nothing is sent. */
async function claimed(context: Context, most: number, lane = MAIN): Promise<Claimed[]> {
  const found: Claimed[] = [];
  await claim(context, lane, { now: context.clock.now(), most, start: (one) => found.push(one) });
  return found;
}

describe("claims", () => {
  it("keep at most 5 in flight to one endpoint and 10 for one account, over two dispatchers together", async () => {
    const { endpointIds } = await accountWith(3);
    const other = await accountWith(1);
    await queueEvents(20);
    const second = await openTestContext(service.context.config.databaseUrl ?? "", service.clock);
    const dispatchers = [service.context, second].map((context) =>
      startTestDispatcher(context, { graceMs: 0 }),
    );
    await receiver.arrival(15);
    // Claims take turns: this one comes after every claim that could still start a delivery.
    expect(await claimed(service.context, 50)).toEqual([]);
    expect(await deliveryCounts(service.context)).toMatchObject({ sending: 15 });
    const byEndpoint = Map.groupBy(receiver.received, ({ path }) => path);
    const counts = [...byEndpoint.values()].map((all) => all.length);
    expect(Math.max(...counts)).toBe(5);
    expect(receiver.received.filter(({ path }) => path.startsWith(`/${other.accountId}/`))).toHaveLength(5);
    expect(receiver.received).toHaveLength(15);
    expect(endpointIds).toHaveLength(3);
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
    await second.db.close();
  });

  it("take every account's first before any account's second, and each endpoint's oldest first", async () => {
    const busy = await accountWith(2);
    const quiet = await accountWith(1);
    await queueEvents(8);
    const first = await claimed(service.context, 2);
    expect(new Set(first.map(({ endpointId }) => endpointId))).toContain(quiet.endpointIds[0]);
    // Two endpoints of the busy account share one turn: deliveries in flight count.
    const next = await claimed(service.context, 4);
    const ofQuiet = (all: Claimed[]) => all.filter(({ endpointId }) => endpointId === quiet.endpointIds[0]);
    expect(ofQuiet(next)).toHaveLength(2);
    const [oldest, second, third] = await deliveriesOf(service.context, quiet.endpointIds[0] ?? 0);
    expect([...ofQuiet(first), ...ofQuiet(next)].map(({ id }) => id)).toEqual([
      oldest?.id,
      second?.id,
      third?.id,
    ]);
    expect(busy.endpointIds).toHaveLength(2);
  });

  it("read a few pages of a queue, however long it is", async () => {
    const hot = await accountWith(1);
    await queueMany(hot.endpointIds[0] ?? 0, 50_000);
    const quiet = await accountWith(1);
    await queueEvents(1);
    expect(await pagesOfAClaim()).toBeLessThan(400);
    const found = await claimed(service.context, 50);
    expect(found.map(({ endpointId }) => endpointId)).toContain(quiet.endpointIds[0]);
  });

  it("read few pages of many endpoints' queues, even with statistics from when all was empty", async () => {
    const accounts = await Promise.all(Array.from({ length: 20 }, () => accountWith(2)));
    for (const endpointId of accounts.flatMap(({ endpointIds }) => endpointIds)) {
      await queueMany(endpointId, 500);
    }
    const { bulkPool } = service.context.db;
    await bulkPool.query("UPDATE webhook_delivery SET status = 'delivered'");
    await bulkPool.query("VACUUM ANALYZE webhook_delivery");
    await bulkPool.query("UPDATE webhook_delivery SET status = 'queued'");
    expect(await pagesOfAClaim()).toBeLessThan(2_400);
  });

  it("send a test delivery at once, beside 50,000 queued ones and slots that all hang", async () => {
    const hot = await accountWith(2);
    await queueEvents(20);
    for (const id of hot.endpointIds) await queueMany(id, 25_000);
    const context = { ...service.context, config: { ...service.context.config, webhookConcurrency: 10 } };
    const dispatcher = startTestDispatcher(context, { graceMs: 0 });
    await receiver.arrival(10);
    await queueTestDelivery(service.context, hot.accountId, hot.endpointIds[0] ?? 0);
    await receiver.arrival(11);
    expect(receiver.received[10]?.body.toString()).toContain('"source_dataset":"test"');
    await dispatcher.stop();
  });

  it("use the last slot that does not hang", async () => {
    await accountWith(2);
    await queueEvents(20);
    const context = { ...service.context, config: { ...service.context.config, webhookConcurrency: 11 } };
    const dispatcher = startTestDispatcher(context, { graceMs: 0 });
    await receiver.arrival(10);
    const healthy = await accountWith(1);
    receiver.answerWith(({ path }) => (path === `/${healthy.accountId}/0` ? 204 : "nothing"));
    await queueEvents(20);
    await until(async () => (await deliveryCounts(service.context)).delivered === 20);
    receiver.answerWith(() => "nothing");
    await dispatcher.stop();
  });

  it("find the deliveries of another process once its lease is over, and not before", async () => {
    const { endpointIds } = await accountWith(1);
    await queueEvents(3);
    const [lost] = await claimed(service.context, 50);
    service.clock.advance(19_000);
    const dispatcher = startTestDispatcher(service.context, { graceMs: 0 });
    // Counted from the first sweep on, even if it finds nothing.
    const sweeps = async () => (await service.context.metrics.deliveries.get()).values;
    await until(async () => (await sweeps()).some(({ labels }) => labels.outcome === "lease_over"));
    expect(receiver.received).toEqual([]);
    service.clock.advance(1_000);
    await receiver.arrival(3);
    const attempts = receiver.received.map(({ headers }) => headers["service-delivery-attempt"]);
    expect(attempts).toEqual(["2", "2", "2"]);
    expect(await attemptsOf(service.context, lost?.id ?? 0)).toEqual([]);
    const { rows } = await service.context.db.pool.query(
      "SELECT failures FROM webhook_delivery WHERE endpoint_id = $1",
      [endpointIds[0]],
    );
    expect(rows).toEqual([{ failures: 0 }, { failures: 0 }, { failures: 0 }]);
    await dispatcher.stop();
  });
});

/** How many pages of tables and indexes a claim reads, according to the server. */
async function pagesOfAClaim(): Promise<number> {
  const now = service.clock.now();
  const values = [now, false, 50, 5, 10, now, CARRIED_TYPES];
  const client = await service.context.db.pool.connect();
  try {
    await client.query("BEGIN");
    await takeTurn(client);
    const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${CLAIM_SQL}`,
      values,
    );
    const plan = rows[0]?.["QUERY PLAN"][0].Plan;
    return (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}
