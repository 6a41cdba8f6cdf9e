// Two dispatchers as processes, under load, with real clocks: one dies, is suspended, or loses the database.
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { setPlan } from "../../../../src/accounts/accounts.ts";
import { systemClock } from "../../../../src/platform/clock.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { cuttableWayTo } from "../../../support/network/tcp-proxy.ts";
import {
  type DispatcherProcess,
  startDispatcherProcess,
} from "../../../support/processes/dispatcher-processes.ts";
import { removeBusinesses } from "../../../support/removals/removals.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { deliveryCounts, LOOPBACK_ENV, putManyEvents, until } from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { type Receiver, startReceiver } from "../../../support/webhooks/receiver.ts";

const ACCOUNTS = 10;
/** Endpoints of each account. */
const EACH = 2;
const SLOTS = 100;
/** By how much the times of two processes may differ on a busy machine. */
const CLOCK_ERROR_MS = 10;

let service: TestService;
let receiver: Receiver;
let url: string;
/** The most requests open at once, to one endpoint and for one account. */
let most: { endpoint: number; account: number };
let answerMs: number;

beforeEach(async () => {
  service = await startTestService({
    env: LOOPBACK_ENV,
    clock: { ...systemClock, set() {}, advance() {} },
  });
  url = service.context.config.databaseUrl ?? "";
  most = { endpoint: 0, account: 0 };
  answerMs = 50;
  const open = new Map<string, number>();
  const count = (key: string, change: number): number => {
    const now = (open.get(key) ?? 0) + change;
    open.set(key, now);
    return now;
  };
  receiver = await startReceiver(async ({ path }, response) => {
    const account = path.split("/")[1] ?? "";
    most.endpoint = Math.max(most.endpoint, count(path, 1));
    most.account = Math.max(most.account, count(account, 1));
    let isOpen = true;
    const end = () => {
      if (!isOpen) return;
      isOpen = false;
      count(path, -1);
      count(account, -1);
    };
    response.once("close", end);
    await delay(answerMs);
    // The response closes some time after the sender has read it.
    end();
    return 204;
  });
});
afterEach(async () => {
  await receiver.close();
  await service.stop();
});

async function registerEndpoints(): Promise<void> {
  for (let account = 0; account < ACCOUNTS; account++) {
    const { accountId } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
    for (let number = 0; number < EACH; number++) {
      await registerEndpoint(service.context, accountId, { url: `${receiver.url}/${account}/${number}` });
    }
  }
}

const query = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await service.context.db.pool.query(text, values)).rows as T[];

/** The registered dispatchers, the newest last. */
const dispatchers = async (): Promise<number[]> =>
  (await query<{ id: number }>("SELECT id FROM webhook_dispatcher ORDER BY id")).map(({ id }) => id);
const leasesOf = async (id: number): Promise<number> =>
  (await query("SELECT FROM webhook_lease WHERE dispatcher_id = $1", [id])).length;

/** Starts a dispatcher and waits until it has its share of the accounts. */
async function start(databaseUrl = url): Promise<DispatcherProcess & { id: number }> {
  const before = (await dispatchers()).at(-1) ?? 0;
  const started = await startDispatcherProcess(databaseUrl, { env: { WEBHOOK_CONCURRENCY: `${SLOTS}` } });
  const newest = async () => (await dispatchers()).at(-1) ?? 0;
  await until(async () => (await newest()) > before && (await leasesOf(await newest())) > 0);
  return { ...started, id: await newest() };
}

async function untilDelivered(): Promise<void> {
  await until(async () => {
    const { delivered = 0, ...others } = await deliveryCounts(service.context);
    return delivered > 0 && Object.keys(others).length === 0;
  });
}

/** What was received, against what was queued and recorded. */
async function outcome() {
  const deliveries = await query<{ id: number }>("SELECT id FROM webhook_delivery");
  const times = Map.groupBy(receiver.received, ({ headers }) => Number(headers["service-delivery-id"]));
  const recorded = await query<{ results: number }>("SELECT count(*)::int AS results FROM webhook_result");
  return {
    deliveries: deliveries.length,
    lost: deliveries.filter(({ id }) => !times.has(id)).length,
    repeated: receiver.received.length - times.size,
    recordedTwice: (recorded[0]?.results ?? 0) - deliveries.length,
  };
}

/** Seconds until a dispatcher has no account any more. */
async function secondsToMove(id: number): Promise<number> {
  const startedAt = performance.now();
  await until(async () => (await leasesOf(id)) === 0);
  return (performance.now() - startedAt) / 1000;
}

it("an account moves within 20 s of a kill -9, in a few seconds by the lock", async () => {
  await registerEndpoints();
  let kept = await start();
  const seconds: number[] = [];
  for (let kill = 0; kill < 5; kill++) {
    const other = await start();
    await putManyEvents(service.context, 100);
    await receiver.arrival(receiver.received.length + 50);
    kept.signal("SIGKILL");
    seconds.push(await secondsToMove(kept.id));
    await kept.stop();
    kept = other;
  }
  await untilDelivered();
  expect(await kept.stop()).toBe(0);
  const found = await outcome();
  console.log({ seconds, most, ...found });
  expect(Math.max(...seconds)).toBeLessThan(20);
  expect(found).toMatchObject({ lost: 0, recordedTwice: 0 });
  expect(found.repeated).toBeLessThanOrEqual(5 * SLOTS);
  expect(most).toEqual({ endpoint: 5, account: 10 });
});

it("a process that is suspended for 30 s is fenced off: it records nothing twice, and the caps hold", async () => {
  await registerEndpoints();
  const [suspended, other] = [await start(), await start()];
  await until(async () => (await leasesOf(suspended.id)) > 0 && (await leasesOf(other.id)) > 0);
  await putManyEvents(service.context, 300);
  await receiver.arrival(1_000);
  suspended.signal("SIGSTOP");
  const [seconds] = await Promise.all([secondsToMove(suspended.id), delay(30_000)]);
  suspended.signal("SIGCONT");
  await putManyEvents(service.context, 100);
  await delay(1_000);
  await untilDelivered();
  const codes = [await suspended.stop(), await other.stop()];
  const found = await outcome();
  console.log({ seconds, most, ...found });
  expect(codes).toEqual([0, 0]);
  expect(seconds).toBeLessThan(23);
  expect(found).toMatchObject({ deliveries: 400 * EACH * ACCOUNTS, lost: 0, recordedTwice: 0 });
  expect(found.repeated).toBeLessThanOrEqual(SLOTS);
  expect(most).toEqual({ endpoint: 5, account: 10 });
});

it("a process that loses the database for some seconds, again and again, never exceeds the caps with another", async () => {
  await registerEndpoints();
  const way = await cuttableWayTo(url);
  const [cutOff, other] = [await start(way.url), await start()];
  answerMs = 4_000;
  await putManyEvents(service.context, 40);
  await receiver.arrival(80);
  const lengths = [500, 2_000, 3_500, 5_000, 8_000, 12_000];
  for (const ms of lengths) {
    way.cut();
    await delay(ms);
    way.mend();
    await delay(5_000);
  }
  answerMs = 10;
  await untilDelivered();
  const codes = [await cutOff.stop(), await other.stop()];
  const found = await outcome();
  await way.close();
  console.log({ most, ...found });
  expect(codes).toEqual([0, 0]);
  expect(found).toMatchObject({ lost: 0, recordedTwice: 0 });
  expect(found.repeated).toBeLessThanOrEqual(lengths.length * SLOTS);
  // How many are in flight at once depends on the moments of the cuts.
  expect(most.endpoint).toBeLessThanOrEqual(5);
  expect(most.account).toBeLessThanOrEqual(10);
});

it("nothing starts after the commit of a pause, a plan change or a removal, of 120 under load", async () => {
  answerMs = 0;
  const both = [await startDispatcherProcess(url), await startDispatcherProcess(url)];
  const { planCode } = await service.createAccount({ feeds: { us_insurance_lapse_alerts: null } });
  let late = 0;
  let changedInTime = 0;
  for (let round = 0; round < 120; round++) {
    const usdot = 6_000_000 + round;
    const { accountId, key } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
    const { id } = await registerEndpoint(service.context, accountId, {
      url: `${receiver.url}/late/${round}`,
    });
    const changes = [
      () => service.send("DELETE", `/v1/webhooks/${id}`, { key }),
      () => setPlan(service.context, accountId, planCode),
      () => removeBusinesses(service.context.db, [usdot]),
    ];
    const before = receiver.received.length;
    await putManyEvents(service.context, 200, { usdot });
    await fanOut(service.context);
    await receiver.arrival(before + 1 + Math.floor(Math.random() * 100));
    await changes[round % changes.length]?.();
    const committedBy = new Date(Date.now() + CLOCK_ERROR_MS);
    await until(async () => {
      const waiting = await query(
        "SELECT FROM webhook_delivery_state WHERE status = 'queued' AND endpoint_id = $1 LIMIT 1",
        [id],
      );
      return waiting.length === 0;
    });
    const counts = await query<{ late: number; cancelled: number }>(
      `SELECT (SELECT count(*)::int FROM webhook_result WHERE endpoint_id = $1 AND started_at > $2) AS late,
         (SELECT count(*)::int FROM webhook_delivery_state WHERE endpoint_id = $1 AND status = 'cancelled') AS cancelled`,
      [id, committedBy],
    );
    late += counts[0]?.late ?? 0;
    changedInTime += (counts[0]?.cancelled ?? 0) > 0 ? 1 : 0;
    await service.context.db.pool.query("UPDATE webhook_endpoint SET active = false WHERE id = $1", [id]);
  }
  for (const one of both) expect(await one.stop()).toBe(0);
  console.log({ late, changedInTime });
  expect(late).toBe(0);
  expect(changedInTime).toBeGreaterThan(60);
});
