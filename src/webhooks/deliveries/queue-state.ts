import { Gauge } from "prom-client";
import { DAY_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import * as sql from "./statements.ts";

/** How the queue of deliveries stands. */
export interface QueueState {
  /** Waiting, for a retry too. */
  queued: number;
  /** Those of them that could go now. */
  due: number;
  /** In flight. */
  sending: number;
  /** For how long the oldest of the due ones has been due; null where none is. */
  oldest_due_seconds: number | null;
  failed_last_day: number;
  cancelled_last_day: number;
}

/** How the queue of deliveries stands. It may be long: counting takes its time. */
export async function queueState(context: Context): Promise<QueueState> {
  const { db, clock } = context;
  const now = clock.now();
  const { rows } = await sql.queueState.run(db.bulkPool, {
    now,
    lostSince: new Date(now.getTime() - DAY_MS),
  });
  const { queued = 0, due = 0, sending = 0, failed = 0, cancelled = 0 } = rows[0] ?? {};
  return {
    queued,
    due,
    sending,
    oldest_due_seconds: await oldestDueSeconds(context),
    failed_last_day: failed,
    cancelled_last_day: cancelled,
  };
}

async function oldestDueSeconds({ db, clock }: Context): Promise<number | null> {
  const now = clock.now();
  const { rows } = await sql.oldestDue.run(db.pool, { now });
  const since = rows[0]?.since;
  return since ? Math.max(0, (now.getTime() - since.getTime()) / 1000) : null;
}

/** Adds to the metrics for how long the oldest due delivery has waited; asked for whenever they are read. */
export function watchQueue(context: Context): void {
  new Gauge({
    name: "tdf_webhook_oldest_due_seconds",
    help: "For how long the oldest due webhook delivery has waited, over all processes; 0 where none is due.",
    registers: [context.metrics.registry],
    async collect() {
      // The other metrics are worth reading when the database is away, all the more.
      this.set((await oldestDueSeconds(context).catch(() => Number.NaN)) ?? 0);
    },
  });
}
