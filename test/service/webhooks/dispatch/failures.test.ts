import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Dispatcher } from "../../../../src/webhooks/dispatch/dispatcher.ts";
import { fill } from "../../../../src/webhooks/dispatch/finder.ts";
import { SendQueue } from "../../../../src/webhooks/dispatch/queue.ts";
import { type Ended, recordEnded } from "../../../../src/webhooks/dispatch/record.ts";
import type { WebhookIn } from "../../../../src/webhooks/endpoints/asked-endpoint.ts";
import { enableEndpoint } from "../../../../src/webhooks/endpoints/enable.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { putRows, removeRows } from "../../../support/rows.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { deliveriesOf, retryEach } from "../../../support/webhooks/deliveries.ts";
import {
  deliveryCounts,
  LOOPBACK_ENV,
  putManyEvents,
  quieten,
  startTestDispatcher,
  until,
  untilIdle,
} from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { type Receiver, startReceiver } from "../../../support/webhooks/receiver.ts";

// One retry a minute later, so that a delivery has failed after two attempts.
const ENV = { ...LOOPBACK_ENV, WEBHOOK_RETRY_SECONDS: "60" };

let service: TestService;
let receiver: Receiver;
let dispatcher: Dispatcher;

beforeAll(async () => {
  service = await startTestService({ env: ENV });
  receiver = await startReceiver();
});
beforeEach(async () => {
  await quieten(service.context);
  await removeRows(service.context.db.pool, "mail_outbox");
  dispatcher = startTestDispatcher(service.context);
  return () => dispatcher.stop();
});
afterAll(async () => {
  await receiver.close();
  await service.stop();
});

async function endpoint(asked: Partial<WebhookIn> = {}): Promise<number> {
  const { accountId } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
  const url = `${receiver.url}/in?token=s3cret`;
  return (await registerEndpoint(service.context, accountId, { url, ...asked })).id;
}

const stateOf = async (id: number) => {
  const { active, failureStreak, disabledReason } =
    await service.context.db.prisma.webhookEndpoint.findUniqueOrThrow({ where: { id } });
  return { active, failureStreak, disabledReason };
};

/** The state of an endpoint's delivery, by its index. */
const deliveryAt = async (endpointId: number, index: number) => {
  const { rows } = await service.context.db.pool.query<{ status: string; failures: number }>(
    "SELECT status, failures FROM webhook_delivery_state WHERE endpoint_id = $1 ORDER BY id OFFSET $2 LIMIT 1",
    [endpointId, index],
  );
  return rows[0];
};

const mails = async () => {
  const { rows } = await service.context.db.pool.query<{ purpose: string; recipient: string; body: string }>(
    "SELECT purpose, recipient, body FROM mail_outbox ORDER BY id",
  );
  return rows;
};

/** Lets so many events fail, or be accepted, one after the other, each with all its attempts. */
async function deliver(count: number, status: number): Promise<void> {
  receiver.answerWith(() => status);
  for (let event = 0; event < count; event++) {
    await putManyEvents(service.context, 1);
    await untilIdle(service.context);
    service.clock.advance(70_000);
    await untilIdle(service.context);
  }
}

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

describe("a delivery that is asked for again while its attempt is in flight", () => {
  const RANGE = { from: "2026-11-20T00:00:00Z", to: "2026-11-21T00:00:00Z" };

  /** A customer with a delivery whose attempt of this number is in flight until it is answered. */
  async function inFlight(attempt: number) {
    const { accountId, key } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
    const { id } = await registerEndpoint(service.context, accountId, { url: `${receiver.url}/in` });
    const answered = Promise.withResolvers<number>();
    const before = receiver.received.length;
    receiver.answerWith(({ headers }) =>
      headers["service-delivery-attempt"] === String(attempt) ? answered.promise : 500,
    );
    await putManyEvents(service.context, 1);
    if (attempt > 1) {
      await untilIdle(service.context);
      service.clock.advance(70_000);
    }
    await receiver.arrival(before + attempt);
    const path = `/v1/webhooks/${id}`;
    const [delivery] = await deliveriesOf(service.context, id);
    const resend = () => service.send("POST", `${path}/deliveries/${delivery?.id}/resend`, { key });
    const state = async () => {
      const answer = await service.get(`${path}/deliveries/${delivery?.id}`, key);
      const { status, attempts } = (await answer.json()) as { status: string; attempts: unknown[] };
      return { status, attempts: attempts.length };
    };
    const sent = () => receiver.received.length - before;
    return { id, key, path, answer: answered.resolve, resend, state, sent };
  }

  it("after a pause is sent once more, and not for ever", async () => {
    const { key, path, answer, resend, state, sent } = await inFlight(1);
    await service.send("DELETE", path, { key });
    await service.send("PATCH", path, { key, body: { active: true } });
    expect((await resend()).status).toBe(202);
    receiver.answerWith(() => 204);
    answer(204);
    await untilIdle(service.context);
    expect({ ...(await state()), sent: sent() }).toEqual({ status: "delivered", attempts: 2, sent: 2 });
  });

  it.each<[string, (of: Awaited<ReturnType<typeof inFlight>>) => Promise<unknown>]>([
    ["resend", ({ resend }) => resend()],
    [
      "replay",
      ({ key, path }) =>
        service.send("POST", `${path}/replay`, {
          key,
          body: { ...RANGE, dry_run: false, include: ["retrying"] },
        }),
    ],
  ])("as its last one gets its whole retry schedule by a %s", async (_what, ask) => {
    const one = await inFlight(2);
    await ask(one);
    receiver.answerWith(() => 500);
    one.answer(500);
    await untilIdle(service.context);
    expect(await one.state()).toEqual({ status: "queued", attempts: 3 });
    expect(await stateOf(one.id)).toMatchObject({ failureStreak: 0 });
    service.clock.advance(70_000);
    await untilIdle(service.context);
    expect(await one.state()).toEqual({ status: "failed", attempts: 4 });
    expect(await stateOf(one.id)).toMatchObject({ failureStreak: 1 });
  });
});

describe("many last failures at once", () => {
  /** Deliveries in flight for their last attempt, as a dispatcher has them, and the failure of each. */
  async function lastAttempts(
    count: number,
  ): Promise<{ id: number; record: (some: Ended[]) => Promise<boolean>; all: Ended[] }> {
    await dispatcher.stop();
    const id = await endpoint();
    await putManyEvents(service.context, count);
    await fanOut(service.context);
    const { context } = service;
    await retryEach(context);
    const each = { perEndpoint: count, perAccount: count, toUnknown: count, toSlow: count };
    const queue = new SendQueue({ isTest: false, slots: count, ...each });
    const { accountId } = await context.db.prisma.webhookEndpoint.findUniqueOrThrow({ where: { id } });
    queue.addAccount(accountId);
    queue.addEndpoint(id, accountId);
    const all: Ended[] = [];
    while (all.length < count) {
      if (!queue.hasNext()) {
        queue.markWork(id, accountId, "due");
        await fill(context, queue);
      }
      const queued = queue.next();
      if (queued === null) continue;
      const attempt = {
        startedAt: context.clock.now(),
        url: `${receiver.url}/in?token=s3cret`,
        signature: `t=1,v1=${"0".repeat(64)}`,
        httpStatus: null,
      };
      const failed = { ...attempt, reason: "timed_out" as const, durationMs: 15_000 };
      all.push({ queued, attempt: failed, cancelReason: null, endedAt: context.clock.now() });
    }
    const [written] = await putRows(context.db.pool, "webhook_dispatcher", { seen_at: new Date() });
    const dispatcherId = written?.id ?? 0;
    return { id, all, record: (some) => recordEnded(context, dispatcherId, some) };
  }

  it("pause the endpoint once and mail once", async () => {
    const { id, all, record } = await lastAttempts(50);
    await Promise.all(all.map((ended) => record([ended])));
    expect(await stateOf(id)).toEqual({
      active: false,
      failureStreak: 20,
      disabledReason: "too_many_failures",
    });
    expect((await mails()).map(({ purpose }) => purpose)).toEqual([
      "webhook_failing",
      "webhook_failing",
      "webhook_paused",
    ]);
  });

  it("count once each when they are recorded again after an unknown outcome of the commit", async () => {
    const { id, all, record } = await lastAttempts(22);
    await record(all.slice(0, 19));
    await record(all.slice(0, 19));
    expect(await stateOf(id)).toMatchObject({ active: true, failureStreak: 19 });
    await Promise.all([record(all.slice(10)), record(all.slice(15))]);
    expect(await stateOf(id)).toMatchObject({ active: false, failureStreak: 20 });
    expect((await mails()).map(({ purpose }) => purpose)).toEqual([
      "webhook_failing",
      "webhook_failing",
      "webhook_paused",
    ]);
  });
});
