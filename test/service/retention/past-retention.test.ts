// Upkeep: which rows stay although they are old, and what readers are told.
import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../src/platform/clock.ts";
import { fanOut } from "../../../src/webhooks/queue/fan-out.ts";
import { eraseDeleted } from "../../../src/webhooks/upkeep/upkeep.ts";
import { setDetection } from "../../support/events/events.ts";
import { putRows, removeRows } from "../../support/rows.ts";
import { visitorOf } from "../../support/visitor.ts";
import { putDelivery, putResult, putRetry } from "../../support/webhooks/deliveries.ts";
import { quieten } from "../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../support/webhooks/endpoints.ts";
import {
  account,
  type EventsOut,
  eventIds,
  keep,
  OLD,
  put,
  query,
  service,
  useKeptService,
} from "./kept-service.ts";

useKeptService();

describe("an event that is past its retention", () => {
  const read = async (parameters: string): Promise<EventsOut> => {
    const answer = await service.get(`/v1/events?${parameters}`, account.key);
    expect(answer.status).toBe(200);
    return (await answer.json()) as EventsOut;
  };

  it("is gone, and readers that had not read it are told so", async () => {
    await setDetection(service.context.db, { finishedAt: "2026-11-21T11:00:00Z", asOf: "2026-11-20" });
    const [, second, , young] = await put(OLD, OLD, "2024-11-02T00:00:00Z", "2026-11-20T00:00:00Z");
    const first = await read("since=2024-10-01T00:00:00Z&limit=2");
    expect(first.data.at(-1)?.id).toBe(second);
    expect(first.meta).toMatchObject({ kept_since: null, has_gap: false });
    const newest = await read("since=2026-11-01T00:00:00Z");
    expect(await keep("event")).toEqual(["event"]);
    expect(await eventIds()).toEqual([young]);
    const later = await read(`cursor=${first.next_cursor}`);
    expect(later.data.map(({ id }) => id)).toEqual([young]);
    expect(later.meta).toMatchObject({ kept_since: "2024-11-02T00:00:00.000Z", has_gap: true });
    expect((await read("since=2024-11-01T00:00:00Z")).meta.has_gap).toBe(true);
    for (const parameters of [
      `cursor=${newest.meta.resume_cursor}`,
      `cursor=${later.meta.resume_cursor}`,
      "limit=1",
      "since=2024-11-03T00:00:00Z",
    ])
      expect([parameters, (await read(parameters)).meta.has_gap]).toEqual([parameters, false]);
  });

  it("is gone with all others: a reader continues without a gap", async () => {
    await setDetection(service.context.db, { finishedAt: "2026-11-21T11:00:00Z", asOf: "2026-11-20" });
    await put(OLD, OLD);
    await keep("event");
    const page = await read("since=2024-10-01T00:00:00Z");
    expect([page.data, page.meta.has_gap]).toEqual([[], true]);
    expect((await read(`cursor=${page.meta.resume_cursor}`)).meta.has_gap).toBe(false);
  });

  it("stays until its deliveries are queued and finished", async () => {
    await registerEndpoint(service.context, account.accountId);
    const [first, second, third] = await put(OLD, OLD, OLD);
    expect(await keep("event")).toEqual(["event"]);
    expect(await eventIds()).toEqual([first, second, third]);
    await fanOut(service.context);
    const [delivery] = await query("SELECT id FROM webhook_delivery WHERE event_id = $1", [first]);
    await putResult(service.context, delivery.id, { outcome: "delivered" });
    service.clock.advance(HOUR_MS);
    await keep("event");
    expect(await eventIds()).toEqual([second, third]);
  });

  it("still keeps the same loss of an authority from making another event", async () => {
    const loss = { type: "authority_inactive", authority_class: "broker", usdot: 77 };
    const days = [
      ["MC1", "2024-10-30"],
      ["MC1", "2024-09-30"],
      [null, "2024-10-02"],
    ] as const;
    const lost = days.map(([docket, day]) => ({ ...loss, docket, occurred_on: day, detected_at: OLD }));
    await putRows(service.context.db.bulkPool, "event", ...lost);
    await put(OLD);
    await keep("event");
    expect(await eventIds()).toEqual([]);
    expect(await query("SELECT *, lost_on::text FROM past_loss ORDER BY docket")).toEqual([
      { ...loss, docket: "", lost_on: "2024-10-02" },
      { ...loss, docket: "MC1", lost_on: "2024-10-30" },
    ]);
  });
});

describe("deliveries that are past their retention", () => {
  it("go by months with their results, from the oldest that is not finished on none", async () => {
    const { id: endpointId } = await registerEndpoint(service.context, account.accountId);
    const at = async (time: string, status?: string) => {
      service.clock.set(time);
      return putDelivery(service.context, {
        endpointId,
        ...(status && { status }),
        eventId: -Date.parse(time),
      });
    };
    const keepAt = async (time: string) => {
      service.clock.set(time);
      await keep("webhook_delivery", "webhook_result", "webhook_cancellation");
      const deliveries = await query("SELECT id FROM webhook_delivery ORDER BY id");
      const results = await query("SELECT delivery_id AS id FROM webhook_result ORDER BY 1");
      expect(deliveries.filter(({ id }) => id !== waiting)).toEqual(results);
      return deliveries.map(({ id }) => id);
    };
    await query(
      "SELECT make_partitions('webhook_delivery', '2026-05-01'), make_partitions('webhook_result', '2026-05-01')",
    );
    const first = await at("2026-05-31T23:00:00Z", "delivered");
    const waiting = await at("2026-06-01T12:00:00Z");
    const last = await at("2026-07-31T23:00:00Z", "failed");
    const kept = await at("2026-08-01T01:00:00Z", "delivered");
    const cancellation = { endpoint_id: -1, reason: "paused", cancelled_at: "2026-07-01T00:00:00Z" };
    const cancelled = [first, kept].map((id) => ({ ...cancellation, to_delivery_id: id }));
    await putRows(service.context.db.bulkPool, "webhook_cancellation", ...cancelled);
    // Ninety days before are 23 August.
    expect(await keepAt("2026-11-21T12:00:00Z")).toEqual([waiting, last, kept]);
    const endedAt = new Date("2026-06-02T12:00:00Z");
    await putResult(service.context, waiting, { outcome: "delivered", endedAt });
    expect(await keepAt("2026-11-21T13:00:00Z")).toEqual([kept]);
    expect(await query("SELECT to_delivery_id::int AS id FROM webhook_cancellation")).toEqual([{ id: kept }]);
  });

  it("leave no retry behind", async () => {
    const { id: endpointId } = await registerEndpoint(service.context, account.accountId);
    const retried = async () => {
      const id = await putDelivery(service.context, { endpointId });
      await putRetry(service.context, id);
      return id;
    };
    const [dropped, kept] = [await retried(), await retried()];
    const waiting = async () =>
      (await query("SELECT delivery_id AS id FROM webhook_retry")).map(({ id }) => id);
    await removeRows(service.context.db.bulkPool, "webhook_delivery", { id: dropped });
    await eraseDeleted(service.context, service.clock.now());
    expect(await waiting()).toEqual([kept]);
    await removeRows(service.context.db.bulkPool, "webhook_delivery", { id: kept });
    await eraseDeleted(service.context, service.clock.now());
    expect(await waiting()).toEqual([]);
  });
});

// Such a page said that nothing matches, or that nobody has done anything yet.
it("is told to who comes by an old link of a page of the dashboard", async () => {
  await setDetection(service.context.db, { finishedAt: "2026-11-21T11:00:00Z", asOf: "2026-11-20" });
  const { id: endpointId } = await registerEndpoint(service.context, account.accountId);
  const [, second = 0] = await put(OLD, OLD, "2026-11-20T00:00:00Z");
  const visitor = await visitorOf(service, account.accountId);
  expect((await visitor.open(`/events?before=${second}`)).text).not.toContain("No older events");
  await fanOut(service.context);
  await quieten(service.context);
  await keep("event");
  expect(await eventIds()).not.toContain(second);
  for (const [path, what] of [
    [`/events?before=${second}&state=TX`, "events"],
    [`/webhooks/${endpointId}?before=1`, "deliveries"],
    ["/people/log?before=1", "actions"],
  ])
    expect((await visitor.open(path ?? "")).text).toContain(`No older ${what}`);
});
