import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../../src/platform/database/db.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { putEvents } from "../../../support/events/events.ts";
import { memoryLog } from "../../../support/memory-log.ts";
import { cuttableWayTo } from "../../../support/network/tcp-proxy.ts";
import { removeRows } from "../../../support/rows.ts";
import { deliveriesOf } from "../../../support/webhooks/deliveries.ts";
import {
  deliveryCounts,
  startTestDispatcher,
  until,
  untilIdle,
} from "../../../support/webhooks/dispatching.ts";
import { quickAtFirst } from "../../../support/webhooks/receiver.ts";
import {
  dispatch,
  dispatcher,
  endpointAt,
  holdQueueing,
  isLeased,
  receiver,
  service,
  useDispatcher,
} from "./dispatched.ts";

useDispatcher();

describe("the dispatcher", () => {
  it("sends nothing of an event that was deleted, and cancels its queued deliveries", async () => {
    const { id } = await endpointAt("/gone");
    await dispatcher.stop();
    const [eventId = 0] = await putEvents(service.context.db, [{}]);
    await fanOut(service.context);
    await removeRows(service.context.db.pool, "event", { id: eventId });
    dispatch();
    await untilIdle(service.context);
    expect(await deliveriesOf(service.context, id)).toMatchObject([
      { status: "cancelled", cancel_reason: "removed" },
    ]);
    expect(receiver.received).toEqual([]);
  });

  it("stops without losing or repeating deliveries in flight, and starts no more", async () => {
    const { id } = await endpointAt("/stop");
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    receiver.answerWith(
      quickAtFirst(async () => {
        await released;
        return 200;
      }),
    );
    await putEvents(
      service.context.db,
      Array.from({ length: 12 }, () => ({})),
    );
    await receiver.arrival(6);
    // Queueing may take long; sending must end at once all the same.
    const queueable = await holdQueueing();
    const stopped = dispatcher.stop();
    release();
    await until(async () => ((await deliveryCounts(service.context)).delivered ?? 0) >= 6);
    await queueable();
    await stopped;
    expect(receiver.received).toHaveLength(6);
    const statuses = (await deliveriesOf(service.context, id)).map(({ status }) => status);
    expect(statuses).toEqual([...Array(6).fill("delivered"), ...Array(6).fill("queued")]);
    dispatch();
    await receiver.arrival(12);
    await untilIdle(service.context);
    expect(new Set(receiver.received.map(({ headers }) => headers["service-delivery-id"])).size).toBe(12);
    expect(receiver.received).toHaveLength(12);
  });

  it("stops although a receiver never answers, and tries that delivery again", async () => {
    await dispatcher.stop();
    const { id } = await endpointAt("/hang");
    receiver.answerWith(() => "nothing");
    dispatch({ timeoutMs: 300 });
    await putEvents(service.context.db, [{}]);
    await receiver.arrival(1);
    await dispatcher.stop();
    const [delivery] = await deliveriesOf(service.context, id);
    expect(delivery).toMatchObject({ status: "queued" });
    expect(delivery?.due_at.getTime()).toBeGreaterThan(service.clock.now().getTime());
  });

  it("waits while the database is unavailable, logs it once, and continues by itself", async () => {
    await dispatcher.stop();
    const way = await cuttableWayTo(service.context.config.databaseUrl ?? "");
    const { log, lines } = memoryLog();
    const db = await openDatabase({ url: way.url, log, poolSizes: { requests: 8, bulk: 2 } });
    const context = { ...service.context, db, log };
    const away = startTestDispatcher(context);
    const { id } = await endpointAt("/away");
    await until(() => isLeased(id));
    way.cut();
    await putEvents(service.context.db, [{}]);
    const complaints = () =>
      lines().filter(({ msg }) => msg === "Deliveries are delayed; the task will be tried again.");
    await until(() => complaints().length >= 4);
    way.mend();
    await receiver.arrival(1);
    await until(async () => (await deliveriesOf(service.context, id))[0]?.status === "delivered");
    expect(receiver.received).toHaveLength(1);
    expect(
      complaints()
        .map(({ task }) => task)
        .sort(),
    ).toEqual([...new Set(complaints().map(({ task }) => task))].sort());
    await away.stop();
    await db.close();
    await way.close();
  });
});
