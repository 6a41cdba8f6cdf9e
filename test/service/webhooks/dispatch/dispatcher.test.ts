import { describe, expect, it } from "vitest";
import { putEvents } from "../../../support/events/events.ts";
import { attemptsOf, deliveriesOf } from "../../../support/webhooks/deliveries.ts";
import { isSignedWith, untilIdle } from "../../../support/webhooks/dispatching.ts";
import { endpointAt, receiver, service, useDispatcher } from "./dispatched.ts";

useDispatcher();

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
});
