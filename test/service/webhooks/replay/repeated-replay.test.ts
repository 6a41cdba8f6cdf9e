import { describe, expect, it, vi } from "vitest";
import { configFrom } from "../../../../src/platform/config/config.ts";
import { startDispatcher } from "../../../../src/webhooks/dispatch/dispatcher.ts";
import { createSender } from "../../../../src/webhooks/egress/sender.ts";
import { enableEndpoint } from "../../../../src/webhooks/endpoints/enable.ts";
import { pauseByCustomer } from "../../../../src/webhooks/endpoints/pause-or-delete.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { countReplay, replay } from "../../../../src/webhooks/replay/replay.ts";
import { REPLAY_KINDS } from "../../../../src/webhooks/replay/replay-range.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { startReceiver, TEST_CA } from "../../../support/webhooks/receiver.ts";
import {
  accountId,
  attempts,
  clock,
  context,
  counted,
  database,
  deliverAll,
  deliveries,
  endpointId,
  MINUTE_MS,
  range,
  readFrom,
  someEvents,
  TO,
  useEndpoint,
} from "./replayed.ts";

useEndpoint();

describe("a replay", () => {
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
  const { id } = await registerEndpoint(webhookContext, accountId, { url: `${receiver.url}/in` });
  readFrom(id);
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
