import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../../src/platform/database/db.ts";
import type { Dispatcher } from "../../../../src/webhooks/dispatch/dispatcher.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { untilLockWait } from "../../../support/database.ts";
import { putEvents } from "../../../support/events/events.ts";
import { memoryLog } from "../../../support/memory-log.ts";
import { cuttableWayTo } from "../../../support/network/tcp-proxy.ts";
import { removeRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { attemptsOf, deliveriesOf } from "../../../support/webhooks/deliveries.ts";
import {
  deliveryCounts,
  isSignedWith,
  LOOPBACK_ENV,
  quieten,
  startTestDispatcher,
  until,
  untilIdle,
} from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { quickAtFirst, type Receiver, startReceiver } from "../../../support/webhooks/receiver.ts";

let service: TestService;
let receiver: Receiver;
let dispatcher: Dispatcher;

beforeAll(async () => {
  service = await startTestService({ env: LOOPBACK_ENV });
  receiver = await startReceiver();
});

beforeEach(async () => {
  await quieten(service.context);
  dispatcher = startTestDispatcher(service.context);
  return async () => {
    await dispatcher.stop();
    receiver.received.length = 0;
    receiver.answerWith(() => 204);
  };
});

afterAll(async () => {
  await receiver.close();
  await service.stop();
});

const EVERYWHERE = { feeds: { us_new_authority_weekly: null } };

async function isLeased(endpointId: number): Promise<boolean> {
  const { rowCount } = await service.context.db.pool.query(
    "SELECT FROM webhook_lease JOIN webhook_endpoint USING (account_id) WHERE id = $1",
    [endpointId],
  );
  return rowCount === 1;
}

/** Blocks the dispatcher's queueing, and waits until it hangs. Gives what lets it go on. */
async function holdQueueing(): Promise<() => Promise<void>> {
  const { pool } = service.context.db;
  const client = await pool.connect();
  await client.query("BEGIN; LOCK TABLE webhook_fan_out IN ACCESS EXCLUSIVE MODE");
  await untilLockWait(pool, "webhook_fan_out");
  return async () => {
    await client.query("COMMIT");
    client.release();
  };
}

async function endpointAt(path: string) {
  const { accountId, key } = await service.createAccount(EVERYWHERE);
  return { ...(await registerEndpoint(service.context, accountId, { url: receiver.url + path })), key };
}

describe("the dispatcher", () => {
  it("sends an event in the contract's form, signed over the exact bytes, with the headers of a delivery", async () => {
    const { id, secret } = await endpointAt("/in?tenant=7");
    const [eventId] = await putEvents(service.context.db, [{}]);
    await receiver.arrival(1);
    await untilIdle(service.context);
    const [received] = receiver.received;
    if (!received) throw new Error("nothing was received");
    expect(received.path).toBe("/in?tenant=7");
    expect(JSON.parse(received.body.toString())).toEqual({
      id: `evt_${eventId}`,
      type: "new_authority_granted",
      created: "2026-11-20T11:20:05.000Z",
      data: {
        usdot: "4300000",
        docket: "MC100001",
        state: "TX",
        occurred_at: "2026-11-19",
        source_dataset: "authority_history",
        verify_method: "registry_record",
        data: { legal_name: "ACME FREIGHT LLC", reason: "Granted" },
      },
    });
    const [delivery] = await deliveriesOf(service.context, id);
    expect(received.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": expect.stringMatching(/^TruckingDataFeed\/\d+\.\d+\.\d+$/),
      "service-event-id": `evt_${eventId}`,
      "service-delivery-id": String(delivery?.id),
      "service-delivery-attempt": "1",
      "service-signature": expect.stringMatching(
        new RegExp(`^t=${service.clock.now().getTime() / 1000},v1=[0-9a-f]{64}$`),
      ),
    });
    expect(isSignedWith(secret, received)).toBe(true);
    expect(delivery).toMatchObject({ status: "delivered", finished_at: service.clock.now() });
  });

  it("records each attempt: time, duration, status, reason of failure, and signature", async () => {
    const { id } = await endpointAt("/attempts");
    receiver.answerWith(({ headers }) => (headers["service-delivery-attempt"] === "1" ? 503 : 200));
    await putEvents(service.context.db, [{}]);
    await receiver.arrival(1);
    await untilIdle(service.context);
    const failedAt = service.clock.now();
    const [queued] = await deliveriesOf(service.context, id);
    expect(queued).toMatchObject({ status: "queued", finished_at: null });
    service.clock.advance(66_000);
    await receiver.arrival(2);
    await untilIdle(service.context);
    const [first, second] = receiver.received.map(({ headers }) => headers);
    expect(first?.["service-delivery-id"]).toBe(second?.["service-delivery-id"]);
    expect(await attemptsOf(service.context, queued?.id ?? 0)).toEqual([
      {
        attempt: 1,
        started_at: failedAt,
        duration_ms: expect.any(Number),
        http_status: 503,
        reason: "answer_not_2xx",
        signature: first?.["service-signature"],
      },
      {
        attempt: 2,
        started_at: service.clock.now(),
        duration_ms: expect.any(Number),
        http_status: 200,
        reason: null,
        signature: second?.["service-signature"],
      },
    ]);
    expect(await deliveriesOf(service.context, id)).toMatchObject([{ status: "delivered" }]);
  });

  it("counts any 2xx as delivered and no other status, redirects included", async () => {
    await endpointAt("/statuses");
    const answers = [200, 201, 204, 299, 301, 307, 400, 429, 500];
    receiver.answerWith((received, response) => {
      const status = answers[receiver.received.indexOf(received)] ?? 500;
      response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end();
    });
    await putEvents(
      service.context.db,
      answers.map(() => ({})),
    );
    await receiver.arrival(answers.length);
    await untilIdle(service.context);
    expect(receiver.received.filter(({ path }) => path === "/elsewhere")).toEqual([]);
    const { rows } = await service.context.db.pool.query<{ http_status: number; status: string }>(
      `SELECT http_status, status FROM webhook_result JOIN webhook_delivery_state ON id = delivery_id
       WHERE id = ANY ($1) ORDER BY http_status`,
      [receiver.received.map(({ headers }) => Number(headers["service-delivery-id"]))],
    );
    expect(rows).toEqual(
      answers.map((http_status) => ({ http_status, status: http_status < 300 ? "delivered" : "queued" })),
    );
  });

  it("sends a test delivery once, even to a paused endpoint, and does not count its failure", async () => {
    const { id, secret, key } = await endpointAt("/test");
    await service.send("DELETE", `/v1/webhooks/${id}`, { key });
    receiver.answerWith(() => 500);
    const answer = await service.send("POST", `/v1/webhooks/${id}/test`, { key });
    const queued = (await answer.json()) as { delivery_id: number };
    await receiver.arrival(1);
    await untilIdle(service.context);
    const [received] = receiver.received;
    expect(received && isSignedWith(secret, received)).toBe(true);
    expect(received?.headers["service-delivery-id"]).toBe(String(queued.delivery_id));
    expect(JSON.parse(received?.body.toString() ?? "")).toMatchObject({
      id: received?.headers["service-event-id"],
      data: { usdot: "0", data: { reason: "test delivery" } },
    });
    service.clock.advance(100_000_000);
    await untilIdle(service.context);
    expect(await deliveriesOf(service.context, id)).toMatchObject([{ status: "failed", is_test: true }]);
    expect(receiver.received).toHaveLength(1);
    const endpoint = await service.context.db.prisma.webhookEndpoint.findUniqueOrThrow({ where: { id } });
    expect(endpoint).toMatchObject({ failureStreak: 0, active: false });
  });

  it("sends nothing of an event that was deleted, and cancels its queued deliveries", async () => {
    const { id } = await endpointAt("/gone");
    await dispatcher.stop();
    const [eventId = 0] = await putEvents(service.context.db, [{}]);
    await fanOut(service.context);
    await removeRows(service.context.db.pool, "event", { id: eventId });
    dispatcher = startTestDispatcher(service.context);
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
    dispatcher = startTestDispatcher(service.context);
    await receiver.arrival(12);
    await untilIdle(service.context);
    expect(new Set(receiver.received.map(({ headers }) => headers["service-delivery-id"])).size).toBe(12);
    expect(receiver.received).toHaveLength(12);
  });

  it("stops although a receiver never answers, and tries that delivery again", async () => {
    await dispatcher.stop();
    const { id } = await endpointAt("/hang");
    receiver.answerWith(() => "nothing");
    dispatcher = startTestDispatcher(service.context, { timeoutMs: 300 });
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
