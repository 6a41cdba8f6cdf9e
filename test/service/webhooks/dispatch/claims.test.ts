import type pg from "pg";
import { describe, expect, it } from "vitest";
import { queueTestDelivery } from "../../../../src/webhooks/deliveries/test-delivery.ts";
import { openTestContext } from "../../../support/context.ts";
import { cuttableWayTo } from "../../../support/network/tcp-proxy.ts";
import { changeRows, putRows } from "../../../support/rows.ts";
import { putManyDeliveries } from "../../../support/webhooks/deliveries.ts";
import {
  ageDispatchers,
  deliveryCounts,
  startTestDispatcher,
  until,
} from "../../../support/webhooks/dispatching.ts";
import { quickAtFirst, startReceiver } from "../../../support/webhooks/receiver.ts";
import { accountWith, queueEvents, receiver, service, useSilentReceiver } from "./silent-receiver.ts";

useSilentReceiver();

/** Deliveries in flight as dispatchers say once a second. */
async function inFlight(): Promise<number> {
  const { rows } = await service.context.db.pool.query<{ count: number }>(
    "SELECT coalesce(sum(in_flight), 0) AS count FROM webhook_dispatcher",
  );
  return rows[0]?.count ?? 0;
}

/** Waits until every dispatcher of this process has looked for accounts so many times more. */
async function renewals(count: number, { except = 0 } = {}): Promise<void> {
  const { pool } = service.context.db;
  for (let renewal = 0; renewal < count; renewal++) {
    const { rows } = await pool.query<{ id: number }>("SELECT id FROM webhook_dispatcher");
    const ids = rows.map(({ id }) => id).filter((id) => id !== except);
    await changeRows(pool, "webhook_dispatcher", { in_flight: -1 }, { id: ids });
    await until(async () => {
      const { rowCount } = await pool.query("SELECT FROM webhook_dispatcher WHERE in_flight = -1");
      return rowCount === 0;
    });
  }
}

describe("dispatchers", () => {
  it("keep at most 5 in flight to one endpoint and 10 for one account, over two of them together", async () => {
    await accountWith(3);
    const other = await accountWith(1);
    await queueEvents(20);
    const second = await openTestContext(service.context.config.databaseUrl ?? "", service.clock);
    const dispatchers = [service.context, second].map((context) =>
      startTestDispatcher(context, { graceMs: 0 }),
    );
    // The first of each endpoint was answered.
    await receiver.arrival(4 + 15);
    await until(async () => (await inFlight()) === 15);
    await renewals(2);
    const byEndpoint = Map.groupBy(receiver.received, ({ path }) => path);
    const counts = [...byEndpoint.values()].map((all) => all.length);
    expect(Math.max(...counts)).toBe(1 + 5);
    expect(receiver.received.filter(({ path }) => path.startsWith(`/${other.accountId}/`))).toHaveLength(
      1 + 5,
    );
    expect(receiver.received).toHaveLength(4 + 15);
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
    await second.db.close();
  });

  it("move an account to a new one only when nothing of it is in flight, and repeat nothing", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<number>();
    receiver.answerWith(quickAtFirst(() => released));
    // One of them is the new one's: accounts are shared by their ids.
    const accounts = [await accountWith(2), await accountWith(2)];
    await queueEvents(20);
    const first = startTestDispatcher(service.context);
    await receiver.arrival(4 + 20);
    const second = await openTestContext(service.context.config.databaseUrl ?? "", service.clock);
    const joined = startTestDispatcher(second);
    await until(async () => (await dispatcherCount()) === 2);
    await renewals(2);
    expect(receiver.received).toHaveLength(4 + 20);
    release(204);
    await receiver.arrival(80);
    await until(async () => (await deliveryCounts(service.context)).delivered === 80);
    const owners = async () => {
      const { rowCount } = await service.context.db.pool.query(
        "SELECT DISTINCT dispatcher_id FROM webhook_lease WHERE account_id = ANY ($1)",
        [accounts.map(({ accountId }) => accountId)],
      );
      return rowCount;
    };
    await until(async () => (await owners()) === 2);
    expect(receiver.received).toHaveLength(80);
    receiver.answerWith(() => "nothing");
    await Promise.all([first.stop(), joined.stop()]);
    await second.db.close();
  });

  it("send a test delivery at once, beside 50,000 queued ones and slots that all hang", async () => {
    const hot = await accountWith(2);
    await queueEvents(20);
    for (const id of hot.endpointIds) await putManyDeliveries(service.context, id, 25_000);
    const context = { ...service.context, config: { ...service.context.config, webhookConcurrency: 10 } };
    const dispatcher = startTestDispatcher(context, { graceMs: 0 });
    await receiver.arrival(2 + 10);
    await queueTestDelivery(service.context, hot.accountId, hot.endpointIds[0] ?? 0);
    await receiver.arrival(13);
    expect(receiver.received[12]?.body.toString()).toContain('"source_dataset":"test"');
    await dispatcher.stop();
  });

  it("use the last slot that does not hang", async () => {
    await accountWith(2);
    await queueEvents(20);
    const context = { ...service.context, config: { ...service.context.config, webhookConcurrency: 11 } };
    const dispatcher = startTestDispatcher(context, { graceMs: 0 });
    await receiver.arrival(2 + 10);
    const healthy = await accountWith(1);
    receiver.answerWith(({ path }) => (path === `/${healthy.accountId}/0` ? 204 : "nothing"));
    await queueEvents(20);
    await until(async () => (await deliveryCounts(service.context)).delivered === 2 + 20);
    receiver.answerWith(() => "nothing");
    await dispatcher.stop();
  });

  it("take over the accounts of another that was not seen for 20 s, and not before", async () => {
    const { accountId } = await accountWith(1);
    const client = await service.context.db.bulkPool.connect();
    const dispatcherId = await livingDispatcher(client, accountId);
    await queueEvents(3);
    const dispatcher = startTestDispatcher(service.context, { graceMs: 0 });
    await ageDispatchers(service.context, 10);
    await renewals(2, { except: dispatcherId });
    expect(receiver.received).toEqual([]);
    await ageDispatchers(service.context, 20);
    await receiver.arrival(3);
    const attempts = receiver.received.map(({ headers }) => headers["service-delivery-attempt"]);
    expect(attempts).toEqual(["1", "1", "1"]);
    await dispatcher.stop();
    await client.query("SELECT pg_advisory_unlock(72707376, $1)", [dispatcherId]);
    client.release();
  });

  it("take over from one that lost its connection, once that has broken off what it had in flight", async () => {
    const hanging = await startReceiver(quickAtFirst(() => "nothing"));
    await accountWith(3, hanging);
    await queueEvents(20);
    const { config, clock } = service.context;
    const way = await cuttableWayTo(config.databaseUrl ?? "");
    const cutOff = { ...(await openTestContext(way.url, clock)), config };
    const first = startTestDispatcher(cutOff, { graceMs: 0 });
    await hanging.arrival(3 + 10);
    const second = startTestDispatcher(service.context, { graceMs: 0 });
    await until(async () => (await dispatcherCount()) === 2);
    way.cut();
    // The other does not know yet whether these receivers answer: it sends one to each.
    await hanging.arrival(3 + 10 + 3);
    // It is alive, but what it had is the other's.
    way.mend();
    await until(async () => (await dispatcherCount()) === 2);
    await renewals(2);
    expect(hanging.received).toHaveLength(3 + 10 + 3);
    expect(hanging.mostOpen()).toBe(10);
    await Promise.all([first.stop(), second.stop()]);
    await cutOff.db.close();
    await Promise.all([way.close(), hanging.close()]);
  });
});

const dispatcherCount = async () =>
  (await service.context.db.pool.query("SELECT FROM webhook_dispatcher")).rowCount;

/** Another dispatcher that lives and has an account. */
async function livingDispatcher(client: pg.ClientBase, accountId: number): Promise<number> {
  const id = await service.context.db.transaction(async (other) => {
    const [dispatcher] = await putRows(other, "webhook_dispatcher", { seen_at: new Date() });
    await putRows(other, "webhook_lease", { account_id: accountId, dispatcher_id: dispatcher?.id });
    return dispatcher?.id ?? 0;
  });
  await client.query("SELECT pg_advisory_lock(72707376, $1)", [id]);
  return id;
}
