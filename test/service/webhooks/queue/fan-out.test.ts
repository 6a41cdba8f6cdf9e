import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EVENT_TYPES } from "../../../../src/events/event-types.ts";
import { enableEndpoint } from "../../../../src/webhooks/endpoints/enable.ts";
import { pauseByCustomer } from "../../../../src/webhooks/endpoints/pause-or-delete.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { openTestContext } from "../../../support/context.ts";
import { type GivenEvent, putCorrections, putEvents } from "../../../support/events/events.ts";
import { removeBusinesses, undoRemovals } from "../../../support/removals/removals.ts";
import { changeRows, putRows, removeRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { deliveriesOf } from "../../../support/webhooks/deliveries.ts";
import { putManyEvents } from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await changeRows(service.context.db.pool, "webhook_endpoint", { active: false });
});

async function endpoint(
  feeds: Record<string, string[] | null>,
  eventTypes: string[] = [...EVENT_TYPES],
  corrections = false,
) {
  const { accountId, planCode } = await service.createAccount({ feeds });
  const asked = { event_types: eventTypes as never, corrections };
  const { id } = await registerEndpoint(service.context, accountId, asked);
  return { id, accountId, planCode };
}

/** The events that were queued for an endpoint. */
const queuedFor = async (id: number) =>
  (await deliveriesOf(service.context, id)).map(({ event_id }) => event_id);

const newestEvent = async () =>
  (await service.context.db.pool.query<{ id: number | null }>("SELECT max(id) AS id FROM event")).rows[0]?.id;

const put = (events: GivenEvent[]) => putEvents(service.context.db, events);

describe("fan-out", () => {
  it("queues an event for every endpoint with its type, in the order of events, due at once", async () => {
    const both = await endpoint({ us_brokers: null }, ["new_authority_granted", "reinstated"]);
    const one = await endpoint({ us_brokers: null }, ["reinstated"]);
    const [granted = 0, reinstated = 0] = await put([
      {},
      { type: "reinstated" },
      { type: "authority_inactive" },
    ]);
    expect(await fanOut(service.context)).toBe(3);
    expect(await queuedFor(both.id)).toEqual([granted, reinstated]);
    expect(await queuedFor(one.id)).toEqual([reinstated]);
    const now = service.clock.now();
    expect(await deliveriesOf(service.context, one.id)).toMatchObject([
      { status: "queued", due_at: now, created_at: now, event_type: "reinstated", is_test: false },
    ]);
    expect(await fanOut(service.context)).toBe(0);
  });

  it("needs a feed of the plan that has the type, in all states or in the event's", async () => {
    const nationwide = await endpoint({ us_new_authority_weekly: null });
    const texan = await endpoint({ us_new_authority_weekly: ["TX", "OK"] });
    const byAnotherFeed = await endpoint({ us_new_authority_weekly: ["CA"], us_brokers: ["TX"] });
    const without = await endpoint({ us_insurance_lapse_alerts: null, us_small_carriers_active: null });
    const apiless = await endpoint({ us_new_authority_weekly: null });
    await service.context.db.prisma.plan.update({
      where: { code: apiless.planCode },
      data: { apiAccess: false },
    });
    const [texas = 0, ohio = 0, nowhere = 0] = await put([{ state: "TX" }, { state: "OH" }, { state: null }]);
    await fanOut(service.context);
    expect(await queuedFor(nationwide.id)).toEqual([texas, ohio, nowhere]);
    expect(await queuedFor(texan.id)).toEqual([texas]);
    expect(await queuedFor(byAnotherFeed.id)).toEqual([texas]);
    expect(await queuedFor(without.id)).toEqual([]);
    expect(await queuedFor(apiless.id)).toEqual([]);
  });

  it("queues a correction only where the plan has its event by then", async () => {
    const all = [...EVENT_TYPES];
    const texan = await endpoint({ us_new_authority_weekly: ["TX"] }, all, true);
    const moved = await endpoint({ us_new_authority_weekly: null }, all, true);
    const without = await endpoint({ us_insurance_lapse_alerts: null }, all, true);
    const [texas = 0, ohio = 0] = await put([{ state: "TX" }, { state: "OH" }]);
    await fanOut(service.context);
    await changeRows(
      service.context.db.pool,
      "plan_feed",
      { all_regions: false, regions: ["CA"] },
      { plan_code: moved.planCode },
    );
    await putCorrections(service.context.db, [texas, ohio], { at: "2026-11-20T12:00:00Z" });
    await fanOut(service.context);
    expect(await queuedFor(texan.id)).toEqual([texas, texas]);
    expect(await queuedFor(moved.id)).toEqual([texas, ohio]);
    expect(await queuedFor(without.id)).toEqual([]);
  });

  it("queues nothing about a removed business", async () => {
    const { id } = await endpoint({ us_brokers: null });
    await removeBusinesses(service.context.db, [7_000_001]);
    const [, kept = 0] = await put([{ usdot: 7_000_001 }, { usdot: 7_000_002 }]);
    await fanOut(service.context);
    await undoRemovals(service.context.db);
    await fanOut(service.context);
    expect(await queuedFor(id)).toEqual([kept]);
  });

  it("queues only events after the endpoint was registered or enabled again, and none while it is paused", async () => {
    const [before = 0] = await put([{}]);
    const { id, accountId } = await endpoint({ us_brokers: null });
    const [after = 0] = await put([{}]);
    await fanOut(service.context);
    await pauseByCustomer(service.context, accountId, id);
    await put([{}]);
    await fanOut(service.context);
    await put([{}]);
    await enableEndpoint(service.context, { endpointId: id });
    const [enabled = 0] = await put([{}]);
    await fanOut(service.context);
    expect(before).toBeLessThan(after);
    expect(await queuedFor(id)).toEqual([after, enabled]);
  });

  it("gives every endpoint every event once, with any number of processes, while events are written", async () => {
    const endpoints = await Promise.all(Array.from({ length: 8 }, () => endpoint({ us_brokers: null })));
    const others = await Promise.all(
      [1, 2].map(() => openTestContext(service.context.config.databaseUrl ?? "", service.clock)),
    );
    const contexts = [service.context, ...others];
    let isWriting = true;
    const fanning = Promise.all(
      contexts.map(async (context) => {
        while (isWriting) await fanOut(context);
      }),
    );
    const events: number[] = [];
    for (let part = 0; part < 20; part++) events.push(...(await put(Array.from({ length: 25 }, () => ({})))));
    isWriting = false;
    await fanning;
    await fanOut(service.context);
    for (const { id } of endpoints) expect(await queuedFor(id)).toEqual(events);
    await Promise.all(others.map(({ db }) => db.close()));
  });

  it("loses and duplicates nothing when a process is killed at any moment", async () => {
    const endpoints = await Promise.all(Array.from({ length: 8 }, () => endpoint({ us_brokers: null })));
    const { context } = service;
    const doomed = await openTestContext(context.config.databaseUrl ?? "", service.clock);
    const before = await newestEvent();
    let deaths = 0;
    for (let part = 0; part < 25; part++) {
      await putManyEvents(context, 100);
      const fanning = fanOut(doomed).catch(() => {
        deaths += 1;
      });
      await context.db.pool.query("SELECT pg_sleep(random() * 0.02)");
      await context.db.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%webhook_fan_out%'`,
      );
      await fanning;
    }
    await doomed.db.close();
    // A process that was killed holds the cursor until PostgreSQL noticed, and fan-out leaves it to the holder.
    await context.db.pool.query("SELECT FROM webhook_fan_out FOR UPDATE");
    await fanOut(context);
    expect(deaths).toBeGreaterThan(0);
    const { rows } = await context.db.pool.query<{ id: number }>(
      "SELECT id FROM event WHERE id > $1 ORDER BY id",
      [before],
    );
    const events = rows.map(({ id }) => id);
    expect(events).toHaveLength(2_500);
    for (const { id } of endpoints) expect(await queuedFor(id)).toEqual(events);
  });

  it("takes few events at a time if there are many endpoints, and all in the end", async () => {
    const { id, accountId } = await endpoint({ us_brokers: null });
    const { pool } = service.context.db;
    const other = { account_id: accountId, event_types: ["revocation_pending"] };
    const others = await putRows(pool, "webhook_endpoint", ...Array.from({ length: 4_000 }, () => other));
    const events = await put(Array.from({ length: 9 }, () => ({})));
    const { deliveriesQueued } = service.context.metrics;
    const before = (await deliveriesQueued.get()).values[0]?.value ?? 0;
    expect(await fanOut(service.context)).toBe(9);
    expect(((await deliveriesQueued.get()).values[0]?.value ?? 0) - before).toBe(9);
    expect(await queuedFor(id)).toEqual(events);
    await removeRows(pool, "webhook_endpoint", { id: others.map((each) => each.id) });
  });

  it("waits for no running import, and leaves its uncommitted events for later", async () => {
    const { id } = await endpoint({ us_brokers: null });
    const [seen = 0] = await put([{}]);
    const [written] = await service.context.db.transaction(async (client) => {
      const inserted = await putRows(client, "event", {
        type: "reinstated",
        usdot: 1,
        detected_at: new Date(),
      });
      await fanOut(service.context);
      expect(await queuedFor(id)).toEqual([seen]);
      return inserted;
    });
    await fanOut(service.context);
    expect(await queuedFor(id)).toEqual([seen, written?.id]);
  });
});
