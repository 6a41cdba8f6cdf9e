import { expect } from "vitest";
import type { Dispatcher } from "../../../../src/webhooks/dispatch/dispatcher.ts";
import { fill } from "../../../../src/webhooks/dispatch/finder.ts";
import { SendQueue } from "../../../../src/webhooks/dispatch/queue.ts";
import { startTestService, type TestService } from "../../../support/service.ts";
import { attemptsOf } from "../../../support/webhooks/deliveries.ts";
import {
  deliveryCounts,
  isSignedWith,
  LOOPBACK_ENV,
  putManyEvents,
  startTestDispatcher,
  untilIdle,
} from "../../../support/webhooks/dispatching.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";
import { startReceiver } from "../../../support/webhooks/receiver.ts";

const RETRY_SECONDS = [60, 600, 3_600, 21_600, 86_400];

/**
 * Lets every delivery fail at each attempt and moves the clock from one due time to the next. None may start before its
 * wait of the schedule is over, nor be due later than 10% or 30 s after it.
 */
export async function expectScheduleKept({
  accounts,
  deliveriesEach,
}: {
  accounts: number;
  /** Fewer than 20 for each endpoint: so many failures would pause it. */
  deliveriesEach: number;
}): Promise<void> {
  const service = await startTestService({ env: LOOPBACK_ENV });
  const receiver = await startReceiver(() => 500);
  let dispatcher: Dispatcher | undefined;
  try {
    const secrets = new Map<string, string>();
    for (let number = 0; number < accounts; number++) {
      const { accountId } = await service.createAccount({ feeds: { us_new_authority_weekly: null } });
      const { secret } = await registerEndpoint(service.context, accountId, {
        url: `${receiver.url}/${number}`,
      });
      secrets.set(`/${number}`, secret);
    }
    const total = accounts * deliveriesEach;
    await putManyEvents(service.context, deliveriesEach);
    dispatcher = startTestDispatcher(service.context);
    const attemptStarts: number[] = [];
    for (const seconds of [0, ...RETRY_SECONDS]) {
      if (seconds > 0) {
        const due = await dueTimes(service);
        expect(due).toHaveLength(total);
        const failedMs = service.clock.now().getTime();
        const [first = 0, last = 0] = [Math.min(...due), Math.max(...due)];
        expect(first).toBeGreaterThanOrEqual(failedMs + seconds * 1000);
        expect(last).toBeLessThanOrEqual(failedMs + seconds * 1000 + Math.min(seconds * 100, 30_000));
        service.clock.set(new Date(first - 1).toISOString());
        expect(await findable(service)).toBe(0);
        expect(receiver.received).toHaveLength(total * attemptStarts.length);
        service.clock.set(new Date(last).toISOString());
      }
      await receiver.arrival(total * (attemptStarts.length + 1));
      await untilIdle(service.context);
      attemptStarts.push(service.clock.now().getTime());
    }
    await dispatcher.stop();
    expect(await deliveryCounts(service.context)).toEqual({ failed: total });
    expect(receiver.received).toHaveLength(total * attemptStarts.length);

    const byDelivery = Map.groupBy(receiver.received, ({ headers }) => headers["service-delivery-id"]);
    expect(byDelivery.size).toBe(total);
    for (const [deliveryId, attempts] of byDelivery) {
      expect(new Set(attempts.map(({ body }) => body.toString())).size).toBe(1);
      expect(new Set(attempts.map(({ headers }) => headers["service-event-id"])).size).toBe(1);
      expect(attempts.map(({ headers }) => Number(headers["service-delivery-attempt"]))).toEqual([
        1, 2, 3, 4, 5, 6,
      ]);
      const startedSeconds = attempts.map(({ headers }) =>
        Number(/^t=(\d+)/.exec(String(headers["service-signature"]))?.[1]),
      );
      expect(startedSeconds).toEqual(attemptStarts.map((ms) => Math.floor(ms / 1000)));
      for (const attempt of attempts) {
        expect(isSignedWith(secrets.get(attempt.path) ?? "", attempt)).toBe(true);
      }
      const recorded = await attemptsOf(service.context, Number(deliveryId));
      expect(recorded.map(({ signature }) => signature)).toEqual(
        attempts.map(({ headers }) => headers["service-signature"]),
      );
    }
  } finally {
    await dispatcher?.stop();
    await receiver.close();
    await service.stop();
  }
}

async function dueTimes({ context }: TestService): Promise<number[]> {
  const { rows } = await context.db.pool.query<{ due_at: Date }>("SELECT due_at FROM webhook_retry");
  return rows.map(({ due_at }) => due_at.getTime());
}

/** How many deliveries a dispatcher finds that owns every account. */
async function findable({ context }: TestService): Promise<number> {
  const queue = new SendQueue({
    isTest: false,
    slots: 50,
    perEndpoint: 5,
    perAccount: 10,
    toUnknown: 5,
    toSlow: 5,
  });
  const endpoints = await context.db.prisma.webhookEndpoint.findMany();
  for (const { id, accountId } of endpoints) {
    queue.addAccount(accountId);
    queue.addEndpoint(id, accountId);
  }
  return fill(context, queue);
}
