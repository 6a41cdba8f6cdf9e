import { describe, expect, it } from "vitest";
import { enableEndpoint } from "../../../../src/webhooks/endpoints/enable.ts";
import { pauseByCustomer } from "../../../../src/webhooks/endpoints/pause-or-delete.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { countReplay, replay } from "../../../../src/webhooks/replay/replay.ts";
import { REPLAY_KINDS } from "../../../../src/webhooks/replay/replay-range.ts";
import { openAccount } from "../../../support/accounts.ts";
import { type GivenEvent, putEvents } from "../../../support/events/events.ts";
import { removeBusinesses } from "../../../support/removals/removals.ts";
import { removeRows } from "../../../support/rows.ts";
import { putResult, putRetry } from "../../../support/webhooks/deliveries.ts";
import {
  accountId,
  clock,
  context,
  counted,
  deliverAll,
  deliveries,
  endpointId,
  FROM,
  idOf,
  MINUTE_MS,
  range,
  someEvents,
  TO,
  useEndpoint,
} from "./replayed.ts";

useEndpoint();

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
});
