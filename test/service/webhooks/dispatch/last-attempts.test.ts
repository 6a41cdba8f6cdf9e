import { describe, expect, it } from "vitest";
import { fill } from "../../../../src/webhooks/dispatch/finder.ts";
import { SendQueue } from "../../../../src/webhooks/dispatch/queue.ts";
import { type Ended, recordEnded } from "../../../../src/webhooks/dispatch/record.ts";
import { fanOut } from "../../../../src/webhooks/queue/fan-out.ts";
import { putRows } from "../../../support/rows.ts";
import { deliveriesOf, retryEach } from "../../../support/webhooks/deliveries.ts";
import { putManyEvents, untilIdle } from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import {
  dispatcher,
  endpoint,
  mails,
  receiver,
  service,
  stateOf,
  useFailingEndpoints,
} from "./failing-endpoints.ts";

useFailingEndpoints();

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
        queue.markWork(id, accountId, { freshTo: null });
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
