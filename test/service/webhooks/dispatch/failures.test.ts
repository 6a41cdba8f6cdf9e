import { describe, expect, it } from "vitest";
import { enableEndpoint } from "../../../../src/webhooks/endpoints/enable.ts";
import { deliveriesOf } from "../../../support/webhooks/deliveries.ts";
import {
  deliveryCounts,
  putManyEvents,
  startTestDispatcher,
  until,
  untilIdle,
} from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import {
  deliver,
  deliveryAt,
  endpoint,
  mails,
  receiver,
  service,
  stateOf,
  useFailingEndpoints,
} from "./failing-endpoints.ts";

useFailingEndpoints();

describe("a receiver that answers 410", () => {
  it("has failed like any other: the delivery is retried, counts once, and only the 20th in a row pauses", async () => {
    const id = await endpoint();
    const before = receiver.received.length;
    await deliver(1, 410);
    expect(receiver.received).toHaveLength(before + 2);
    expect(await stateOf(id)).toEqual({ active: true, failureStreak: 1, disabledReason: null });
    await deliver(18, 410);
    expect(await stateOf(id)).toEqual({ active: true, failureStreak: 19, disabledReason: null });
    await deliver(1, 410);
    expect(await stateOf(id)).toEqual({
      active: false,
      failureStreak: 20,
      disabledReason: "too_many_failures",
    });
  });
});

describe("Retry-After of a failed answer", () => {
  /** Seconds until the next attempt of a delivery that was answered 503 with Retry-After of two hours. */
  async function waitOf(id: number): Promise<number> {
    receiver.answerWith((_request, response) => response.writeHead(503, { "Retry-After": "7200" }).end());
    await putManyEvents(service.context, 1);
    await untilIdle(service.context);
    const delivery = (await deliveriesOf(service.context, id)).at(-1);
    expect(delivery?.status).toBe("queued");
    return ((delivery?.due_at.getTime() ?? 0) - service.clock.now().getTime()) / 1000;
  }

  it("moves no attempt, unless the endpoint asked for that", async () => {
    const wait = await waitOf(await endpoint());
    expect(wait).toBeGreaterThanOrEqual(60);
    expect(wait).toBeLessThanOrEqual(66);
  });

  it("puts the next attempt off at an endpoint that asked for it, from the next attempt on", async () => {
    const { accountId, key } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
    const url = `${receiver.url}/in`;
    const { id } = await registerEndpoint(service.context, accountId, { url });
    expect(await waitOf(id)).toBeLessThanOrEqual(66);
    const change = { key, body: { honor_retry_after: true } };
    expect((await service.send("PATCH", `/v1/webhooks/${id}`, change)).status).toBe(200);
    const wait = await waitOf(id);
    expect(wait).toBeGreaterThanOrEqual(7_200);
    expect(wait).toBeLessThanOrEqual(7_230);
  });
});

describe("failed deliveries in a row", () => {
  it("pause the endpoint at exactly 20, with mails to the owner at 10, 15 and 20", async () => {
    const id = await endpoint();
    await deliver(9, 500);
    expect(await mails()).toEqual([]);
    await deliver(1, 500);
    expect(await mails()).toMatchObject([{ purpose: "webhook_failing", recipient: "ada@freight.example" }]);
    await deliver(9, 404);
    expect(await stateOf(id)).toEqual({ active: true, failureStreak: 19, disabledReason: null });
    await deliver(1, 302);
    expect(await stateOf(id)).toEqual({
      active: false,
      failureStreak: 20,
      disabledReason: "too_many_failures",
    });
    const sent = await mails();
    expect(sent.map(({ purpose }) => purpose)).toEqual([
      "webhook_failing",
      "webhook_failing",
      "webhook_paused",
    ]);
    for (const { body } of sent) expect(body).not.toContain("s3cret");
    expect(sent[2]?.body).toContain(`${receiver.url}/in`);
    expect(await deliveryCounts(service.context)).toEqual({ failed: 20 });
  });

  it("mail the owner at 15 too when they are one delivery that was sent again and again", async () => {
    const { accountId, key } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
    const { id } = await registerEndpoint(service.context, accountId, { url: `${receiver.url}/in` });
    await deliver(10, 500);
    const delivery = (await deliveriesOf(service.context, id)).at(-1);
    for (let sent = 0; sent < 5; sent += 1) {
      await service.send("POST", `/v1/webhooks/${id}/deliveries/${delivery?.id}/resend`, { key });
      await untilIdle(service.context);
      service.clock.advance(70_000);
      await untilIdle(service.context);
    }
    expect(await stateOf(id)).toMatchObject({ active: true, failureStreak: 15 });
    expect((await mails()).map(({ purpose }) => purpose)).toEqual(["webhook_failing", "webhook_failing"]);
  });

  it("do not pause it when one in between was accepted, and count from zero after it was enabled again", async () => {
    const id = await endpoint();
    await deliver(19, 500);
    await deliver(1, 200);
    expect(await stateOf(id)).toMatchObject({ active: true, failureStreak: 0 });
    await deliver(19, 500);
    expect(await stateOf(id)).toMatchObject({ active: true, failureStreak: 19 });
    await deliver(1, 500);
    expect(await stateOf(id)).toMatchObject({ active: false });
    await enableEndpoint(service.context, { endpointId: id });
    await deliver(1, 500);
    expect(await stateOf(id)).toMatchObject({ active: true, failureStreak: 1 });
  });

  it("are deliveries, not attempts: one accepted at its last attempt is no failure", async () => {
    const id = await endpoint();
    receiver.answerWith(({ headers }) => (headers["service-delivery-attempt"] === "2" ? 200 : 500));
    await putManyEvents(service.context, 25);
    await untilIdle(service.context);
    service.clock.advance(70_000);
    await untilIdle(service.context);
    expect(await deliveryCounts(service.context)).toEqual({ delivered: 25 });
    expect(await stateOf(id)).toMatchObject({ active: true, failureStreak: 0 });
  });

  it("are no tests: one that fails is not counted, and one that is accepted resets nothing", async () => {
    const { accountId, key } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
    const { id } = await registerEndpoint(service.context, accountId, { url: `${receiver.url}/in` });
    await deliver(1, 500);
    for (const status of [500, 200]) {
      receiver.answerWith(() => status);
      const before = receiver.received.length;
      expect((await service.send("POST", `/v1/webhooks/${id}/test`, { key })).status).toBe(202);
      await untilIdle(service.context);
      expect(receiver.received).toHaveLength(before + 1);
      expect(await stateOf(id)).toMatchObject({ active: true, failureStreak: 1 });
      service.clock.advance(70_000);
    }
  });

  it("are those at the present address: what was sent to a former one neither counts nor resets", async () => {
    const { accountId, key } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
    const { id } = await registerEndpoint(service.context, accountId, { url: `${receiver.url}/first` });
    const moveTo = (path: string) =>
      service.send("PATCH", `/v1/webhooks/${id}`, { key, body: { url: `${receiver.url}${path}` } });
    // Of three deliveries the first one is accepted, the second one is in flight for long, and the third one fails.
    const slow = Promise.withResolvers<number>();
    const last = Promise.withResolvers<number>();
    let firstId = 0;
    receiver.answerWith(({ path, headers }) => {
      const deliveryId = Number(headers["service-delivery-id"]);
      firstId ||= deliveryId;
      if (deliveryId === firstId) return 204;
      if (deliveryId === firstId + 1) return slow.promise;
      return path === "/second" ? last.promise : 500;
    });
    const before = receiver.received.length;
    await putManyEvents(service.context, 3);
    await until(async () => (await deliveryAt(id, 2))?.failures === 1);
    await moveTo("/second");
    service.clock.advance(70_000);
    await receiver.arrival(before + 4);
    await moveTo("/third");
    last.resolve(500);
    await until(async () => (await deliveryAt(id, 2))?.status === "failed");
    expect(await stateOf(id)).toMatchObject({ failureStreak: 0 });
    receiver.answerWith(() => 500);
    await putManyEvents(service.context, 1);
    await until(async () => (await deliveryAt(id, 3))?.failures === 1);
    service.clock.advance(70_000);
    await until(async () => (await deliveryAt(id, 3))?.status === "failed");
    expect(await stateOf(id)).toMatchObject({ failureStreak: 1 });
    slow.resolve(204);
    await untilIdle(service.context);
    expect(await deliveryCounts(service.context)).toEqual({ delivered: 2, failed: 2 });
    expect(await stateOf(id)).toMatchObject({ failureStreak: 1 });
  });

  it("end with one that is accepted, also when another dispatcher had the account for a while", async () => {
    let account = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
    // Of two dispatchers the second one takes the accounts with odd ids.
    while (account.accountId % 2 === 0)
      account = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
    const { accountId } = account;
    const { id } = await registerEndpoint(service.context, accountId, { url: `${receiver.url}/in` });
    await deliver(1, 500);
    const holder = async () => {
      const { rows } = await service.context.db.pool.query<{ dispatcher_id: number }>(
        "SELECT dispatcher_id FROM webhook_lease WHERE account_id = $1",
        [accountId],
      );
      return rows[0]?.dispatcher_id ?? 0;
    };
    const first = await holder();
    const other = startTestDispatcher(service.context);
    await until(async () => (await holder()) > first);
    await other.stop();
    await until(async () => (await holder()) === first);
    await deliver(1, 200);
    expect(await stateOf(id)).toMatchObject({ active: true, failureStreak: 0 });
  });

  it("cancel queued deliveries once they have paused the endpoint", async () => {
    const id = await endpoint();
    receiver.answerWith(() => 500);
    await putManyEvents(service.context, 60);
    await untilIdle(service.context);
    service.clock.advance(70_000);
    await untilIdle(service.context);
    expect(await stateOf(id)).toMatchObject({ active: false, failureStreak: 20 });
    const { failed = 0, cancelled = 0, ...others } = await deliveryCounts(service.context);
    expect(others).toEqual({});
    expect(failed + cancelled).toBe(60);
    // The 20th may have had up to four others in flight beside it.
    expect(failed).toBeGreaterThanOrEqual(20);
    expect(failed).toBeLessThan(25);
  });
});
