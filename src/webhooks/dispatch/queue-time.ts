import { systemClock } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";

/** The time by which deliveries are due and leases end. */
export interface QueueTime {
  now(): Promise<Date>;
}

const MEASURE_EVERY_MS = 60_000;
const WORTH_A_WARNING_MS = 30_000;

/**
 * The database's time, which is the same for all dispatchers: a lease must not end early because two machines' clocks
 * differ. A clock that a test sets is taken as it is.
 */
export function queueTime(context: Context): QueueTime {
  const { clock, log, metrics } = context;
  if (clock !== systemClock) return { now: async () => clock.now() };
  let aheadMs = 0;
  let measuredAtMs = Number.NEGATIVE_INFINITY;
  return {
    now: async () => {
      if (performance.now() - measuredAtMs > MEASURE_EVERY_MS) {
        aheadMs = await databaseAheadMs(context);
        measuredAtMs = performance.now();
        metrics.clockSkewSeconds.set(aheadMs / 1000);
        if (Math.abs(aheadMs) > WORTH_A_WARNING_MS) {
          log.warn({ aheadMs }, "The database's clock and this machine's differ; set both by NTP.");
        }
      }
      return new Date(clock.now().getTime() + aheadMs);
    },
  };
}

async function databaseAheadMs({ db, clock }: Context): Promise<number> {
  const askedMs = clock.now().getTime();
  const { rows } = await db.pool.query<{ now: Date }>("SELECT clock_timestamp() AS now");
  const answeredMs = clock.now().getTime();
  return (rows[0]?.now.getTime() ?? answeredMs) - (askedMs + answeredMs) / 2;
}
