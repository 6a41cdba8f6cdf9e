import { Gauge } from "prom-client";
import * as sql from "../../generated/sql/webhooks/queue.ts";
import { DAY_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";

/** State of the delivery queue. */
export interface QueueState {
  /** Waiting for the first attempt or a retry. */
  queued: number;
  /** Queued deliveries that are due now. */
  due: number;
  /** In flight. */
  sending: number;
  /** How long the oldest due delivery has been due; null when none is. */
  oldest_due_seconds: number | null;
  failed_last_day: number;
  cancelled_last_day: number;
}

/** Reads the state of the queue. Counting a long queue takes seconds. */
export async function queueState(context: Context): Promise<QueueState> {
  const { db, clock } = context;
  const now = clock.now();
  const { queued, due, sending, failed, cancelled } = await sql.queueState(db.bulkPool, {
    now,
    lostSince: new Date(now.getTime() - DAY_MS),
  });
  return {
    queued,
    due,
    sending,
    oldest_due_seconds: await oldestDueSeconds(context),
    failed_last_day: failed,
    cancelled_last_day: cancelled,
  };
}

/** How long the oldest due delivery has been due; null when none is. */
export async function oldestDueSeconds({ db, clock }: Context): Promise<number | null> {
  const now = clock.now();
  const { since } = await sql.oldestDue(db.pool, { now });
  return since ? Math.max(0, (now.getTime() - since.getTime()) / 1000) : null;
}

/** Adds the metric that says how long the oldest due delivery has waited. Each read of the metrics asks the database. */
export function watchQueue(context: Context): void {
  new Gauge({
    name: "tdf_webhook_oldest_due_seconds",
    help: "Seconds that the oldest due webhook delivery has waited, over all processes; 0 when none is due.",
    registers: [context.metrics.registry],
    async collect() {
      // Without the database the other metrics are still readable.
      this.set((await oldestDueSeconds(context).catch(() => Number.NaN)) ?? 0);
    },
  });
}

/** Deliveries queued before this time are finished; null when all are. */
export const oldestUnfinished = async (client: Queryable): Promise<Date | null> =>
  (await sql.oldestUnfinished(client)).since;

/** The highest event id that deliveries don't need any more: events above it must be kept, however old they are. */
export const eventsDoneUpTo = async (client: Queryable): Promise<number> =>
  (await sql.neededEvents(client)).up_to ?? Number.MAX_SAFE_INTEGER;
