import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { configFrom } from "../../../../src/platform/config/config.ts";
import type { Context } from "../../../../src/platform/context.ts";
import { startDispatcher } from "../../../../src/webhooks/dispatch/dispatcher.ts";
import { createSender } from "../../../../src/webhooks/egress/sender.ts";
import { enableEndpoint } from "../../../../src/webhooks/endpoints/enable.ts";
import { pauseByCustomer } from "../../../../src/webhooks/endpoints/pause-or-delete.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { countReplay, type ReplayCount, replay } from "../../../../src/webhooks/replay/replay.ts";
import { type AskedReplay, REPLAY_KINDS } from "../../../../src/webhooks/replay/replay-range.ts";
import { openAccount } from "../../../support/accounts.ts";
import { type SettableClock, settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { type GivenEvent, putEvents } from "../../../support/events/events.ts";
import { removeBusinesses } from "../../../support/removals/removals.ts";
import { emptyTables, removeRows } from "../../../support/rows.ts";
import { attemptsOf, putResult, putRetry } from "../../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { startReceiver, TEST_CA } from "../../../support/webhooks/receiver.ts";

const MINUTE_MS = 60_000;
const FROM = new Date("2026-11-20T00:00:00Z");
const TO = new Date("2026-11-21T00:00:00Z");

let database: TestDatabase;
let clock: SettableClock;
let context: Context;
let accountId: number;
let endpointId: number;
let range: AskedReplay;

beforeAll(async () => {
  database = await createTestDatabase();
  clock = settableClock("2026-11-21T12:00:00Z");
  context = await openTestContext(database.url, clock);
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
});
beforeEach(async () => {
  await emptyTables(
    context.db.pool,
    "event",
    "webhook_delivery",
    "webhook_result",
    "webhook_retry",
    "webhook_cancellation",
    "webhook_endpoint",
  );
  clock.set("2026-11-21T12:00:00Z");
  const feeds = { us_new_authority_weekly: ["TX", "OK"], us_revocation_pending: null };
  ({ accountId } = await openAccount(context, { feeds }));
  ({ id: endpointId } = await registerEndpoint(context, accountId));
  range = { endpointId, from: FROM, to: TO };
});

interface Delivery {
  id: number;
  event_id: number;
  status: string;
  failures: number;
  due_at: Date;
  cancel_reason: string | null;
  finished_at: Date | null;
}

async function deliveries(): Promise<Delivery[]> {
  const { rows } = await context.db.pool.query<Delivery>(
    `SELECT id, event_id, status, failures, due_at, cancel_reason, finished_at
     FROM webhook_delivery_state WHERE endpoint_id = $1 AND NOT is_test ORDER BY event_id`,
    [endpointId],
  );
  return rows;
}

const idOf = async (eventId: number) =>
  (await deliveries()).find(({ event_id }) => event_id === eventId)?.id ?? 0;

/** Attempts of each delivery of the endpoint, in the order of events. */
async function attempts(): Promise<number[]> {
  const all = await deliveries();
  return Promise.all(all.map(async ({ id }) => (await attemptsOf(context, id)).length));
}

/** Ends all queued deliveries, so that those queued afterwards are new. */
async function deliverAll(outcomeOf = (_eventId: number) => "delivered"): Promise<void> {
  for (const { id, event_id, status } of await deliveries()) {
    if (status === "queued") await putResult(context, id, { outcome: outcomeOf(event_id) });
  }
}

const someEvents = (count: number, given: GivenEvent = {}) =>
  putEvents(context.db, Array<GivenEvent>(count).fill(given));

const counted = (kinds: Partial<ReplayCount["counts"]>): ReplayCount => ({
  deliveries: Object.values(kinds).reduce((sum, count) => sum + count, 0),
  counts: { missed: 0, cancelled: 0, failed: 0, retrying: 0, delivered: 0, ...kinds },
  started_at: clock.now().toISOString(),
});

describe("a replay", () => {
  it("does not take an event for never queued whose delivery is no longer kept", async () => {
    await someEvents(2);
    await fanOut(context);
    await removeRows(context.db.pool, "webhook_delivery");
    clock.set("2027-02-18T11:20:05Z");
    const always = { ...range, kinds: REPLAY_KINDS };
    expect(await countReplay(context, range)).toEqual(counted({ missed: 2 }));
    clock.set("2027-02-18T11:20:06Z");
    expect(await countReplay(context, range)).toEqual(counted({}));
    expect(await replay(context, range)).toEqual({ queued: 0 });
    expect(await countReplay(context, always)).toEqual(counted({ missed: 2 }));
  });

  it("sends events never queued, cancelled, failed or waiting for a retry, and delivered ones only on request", async () => {
    const [failed = 0, cancelled = 0, retrying = 0, delivered = 0] = await someEvents(4);
    await fanOut(context);
    const endedAt = new Date("2026-11-21T11:00:00Z");
    await putResult(context, await idOf(failed), { outcome: "failed", endedAt });
    await putResult(context, await idOf(delivered), { outcome: "delivered", endedAt });
    await pauseByCustomer(context, accountId, endpointId);
    const missed = await someEvents(2);
    await enableEndpoint(context, { endpointId });
    await putRetry(context, await idOf(retrying), { failures: 3, dueAt: new Date("2026-11-21T18:00:00Z") });
    const [queued = 0] = await someEvents(1);
    await fanOut(context);
    const before = await deliveries();

    clock.advance(MINUTE_MS);
    expect(await countReplay(context, range)).toEqual(
      counted({ missed: 2, cancelled: 1, failed: 1, retrying: 1 }),
    );
    expect(await deliveries()).toEqual(before);
    expect(await replay(context, range)).toEqual({ queued: 5 });

    const requeued = {
      status: "queued",
      failures: 0,
      due_at: clock.now(),
      cancel_reason: null,
      finished_at: null,
    };
    const unchanged = (eventId: number) => before.find(({ event_id }) => event_id === eventId);
    expect(await deliveries()).toEqual([
      ...[failed, cancelled, retrying].map((eventId) => ({ ...unchanged(eventId), ...requeued })),
      unchanged(delivered),
      ...missed.map((event_id) => ({ id: expect.any(Number), event_id, ...requeued })),
      unchanged(queued),
    ]);

    const again = { ...range, kinds: REPLAY_KINDS };
    expect(await countReplay(context, again)).toEqual(counted({ delivered: 1 }));
    expect(await replay(context, again)).toEqual({ queued: 1 });
    expect((await deliveries()).find(({ event_id }) => event_id === delivered)).toEqual({
      ...unchanged(delivered),
      ...requeued,
    });
  });

  it("sends only events that the endpoint's types, its plan and the removal list allow now", async () => {
    await pauseByCustomer(context, accountId, endpointId);
    const events: GivenEvent[] = [
      { type: "revocation_pending" },
      { state: "CA" },
      { state: null },
      { usdot: 666 },
      { detectedAt: "2026-11-19T23:59:59.999Z" },
      { detectedAt: FROM.toISOString() },
      { state: "OK", detectedAt: "2026-11-20T23:59:59.999Z" },
      { detectedAt: TO.toISOString() },
    ];
    events.sort((one, other) =>
      (one.detectedAt ?? "2026-11-20T11").localeCompare(other.detectedAt ?? "2026-11-20T11"),
    );
    const ids = await putEvents(context.db, events);
    const wanted = ids.filter((_, index) => /^2026-11-20T(00|23)/.test(events[index]?.detectedAt ?? ""));
    await enableEndpoint(context, { endpointId });
    await removeBusinesses(context.db, [666]);
    expect(await countReplay(context, range)).toEqual(counted({ missed: 2 }));
    expect(await replay(context, range)).toEqual({ queued: 2 });
    expect((await deliveries()).map(({ event_id }) => event_id)).toEqual(wanted);
  });

  it("refuses a paused endpoint, and does not find another account's", async () => {
    await someEvents(2);
    const other = await openAccount(context);
    const others = { ...range, accountId: other.accountId };
    expect([await countReplay(context, others), await replay(context, others)]).toEqual([
      "not_found",
      "not_found",
    ]);
    const none = { ...range, endpointId: endpointId + 1 };
    expect([await countReplay(context, none), await replay(context, none)]).toEqual([
      "not_found",
      "not_found",
    ]);
    expect(await countReplay(context, { ...range, accountId })).toEqual(counted({}));
    await pauseByCustomer(context, accountId, endpointId);
    expect([await countReplay(context, range), await replay(context, range)]).toEqual(["paused", "paused"]);
    expect(await deliveries()).toEqual([]);
  });

  it("leaves events that are not fanned out yet to fan-out, so that both do not queue them", async () => {
    await someEvents(3);
    await fanOut(context);
    await deliverAll();
    const fresh = await someEvents(4);
    expect(await replay(context, range)).toEqual({ queued: 0 });
    expect(await fanOut(context)).toBe(4);
    expect(
      (await deliveries()).filter(({ status }) => status === "queued").map(({ event_id }) => event_id),
    ).toEqual(fresh);
  });

  it("sends events detected while the endpoint was paused, even before fan-out has passed them", async () => {
    await pauseByCustomer(context, accountId, endpointId);
    await someEvents(3);
    await enableEndpoint(context, { endpointId });
    expect(await replay(context, range)).toEqual({ queued: 3 });
    expect(await fanOut(context)).toBe(0);
    expect(await deliveries()).toHaveLength(3);
  });

  it("that is interrupted anywhere continues, with each delivery exactly once", async () => {
    await someEvents(30);
    await fanOut(context);
    await deliverAll((eventId) => (eventId % 3 === 0 ? "failed" : "delivered"));
    clock.advance(MINUTE_MS);
    const asked = { ...range, kinds: REPLAY_KINDS, startedAt: clock.now() };
    // Killed each time after it has queued some.
    const interrupt = (queued: number) => {
      if (queued > 0) throw new Error("killed");
    };
    let result: unknown;
    for (let run = 0; run < 10 && result === undefined; run++) {
      clock.advance(1_000);
      try {
        result = await replay(context, asked, { onProgress: interrupt, eventsAtOnce: 7 });
      } catch (error) {
        expect((error as Error).message).toBe("killed");
      }
      // The deliveries queued so far are delivered before the replay continues.
      await deliverAll();
    }
    expect(result).toEqual({ queued: 0 });
    expect((await deliveries()).map(({ status }) => status)).toEqual(Array(30).fill("delivered"));
    expect(await attempts()).toEqual(Array(30).fill(2));
  });

  it("of a range after the newest event is complete at once, however many events there are", async () => {
    await someEvents(20);
    await fanOut(context);
    const later = { ...range, from: TO, to: new Date("2026-11-22T00:00:00Z") };
    expect(await replay(context, later, { eventsAtOnce: 7, mostSteps: 1 })).toEqual({ queued: 0 });
    expect(await countReplay(context, later)).toEqual(counted({}));
  });

  it("stops when its endpoint is paused meanwhile, and leaves nothing queued", async () => {
    await someEvents(20);
    await fanOut(context);
    await deliverAll();
    clock.advance(MINUTE_MS);
    const pausing: Promise<void>[] = [];
    const outcome = await replay(
      context,
      { ...range, kinds: REPLAY_KINDS },
      { eventsAtOnce: 5, onProgress: () => pausing.push(pauseByCustomer(context, accountId, endpointId)) },
    );
    await Promise.all(pausing);
    expect(outcome).toBe("paused");
    const statuses = (await deliveries()).map(({ status }) => status);
    expect(statuses).not.toContain("queued");
    expect(statuses).toContain("cancelled");
  });

  it("started three times at once queues everything once", async () => {
    await pauseByCustomer(context, accountId, endpointId);
    await someEvents(200);
    await enableEndpoint(context, { endpointId });
    const results = await Promise.all([1, 2, 3].map(() => replay(context, range, { eventsAtOnce: 20 })));
    const queued = results.map((result) => (typeof result === "string" ? 0 : result.queued));
    expect(queued.reduce((sum, some) => sum + some, 0)).toBe(200);
    expect(await deliveries()).toHaveLength(200);
  });
});

it("has the same ids for the receiver, and continues the numbering of attempts", async () => {
  const receiver = await startReceiver();
  const webhookContext = {
    ...context,
    config: configFrom({ DATABASE_URL: database.url, WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8" }),
  };
  ({ id: endpointId } = await registerEndpoint(webhookContext, accountId, { url: `${receiver.url}/in` }));
  const sender = createSender({ allowedCidrs: ["127.0.0.0/8"], ca: TEST_CA });
  const dispatcher = startDispatcher(webhookContext, { pollMs: 20, sender });
  try {
    const ids = await someEvents(3);
    await receiver.arrival(3);
    const statuses = async () => (await deliveries()).map(({ status }) => status);
    await vi.waitFor(async () => expect(await statuses()).toEqual(Array(3).fill("delivered")), 50_000);
    clock.advance(MINUTE_MS);
    await replay(context, { ...range, endpointId, kinds: REPLAY_KINDS });
    await receiver.arrival(6);
    const seen = receiver.received.map(({ headers, body }) => [
      headers["service-event-id"],
      headers["service-delivery-id"],
      headers["service-delivery-attempt"],
      JSON.parse(body.toString()).id,
    ]);
    const numbers = new Map((await deliveries()).map(({ event_id, id }) => [event_id, id]));
    const expected = (attempt: string) =>
      ids.map((id) => [`evt_${id}`, String(numbers.get(id)), attempt, `evt_${id}`]);
    expect(seen.toSorted()).toEqual([...expected("1"), ...expected("2")].toSorted());
  } finally {
    await dispatcher.stop();
    await receiver.close();
  }
});
