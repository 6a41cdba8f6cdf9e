import type { Context } from "../../platform/context.ts";
import { CARRIED_TYPES } from "../endpoints/carried-types.ts";
import * as sql from "./statements.ts";

/** Cap of events per statement. */
const EVENTS_AT_ONCE = 2_000;
/** Cap of deliveries per statement, to stay under the 5 s statement timeout. */
const DELIVERIES_AT_ONCE = 10_000;

/**
 * Queues a delivery for every new event and each endpoint that it is for, exactly once over any number of processes.
 * Gives how many it queued: 0 while another process does it.
 */
export async function fanOut(context: Context, now = context.clock.now()): Promise<number> {
  let queued = 0;
  for (let events = 1; events > 0; ) {
    const endTimer = context.metrics.fanOutSeconds.startTimer();
    const { rows } = await sql.fanOut.run(context.db.pool, {
      now,
      carriedTypes: CARRIED_TYPES,
      mostEvents: EVENTS_AT_ONCE,
      mostDeliveries: DELIVERIES_AT_ONCE,
    });
    const { deliveries = 0 } = rows[0] ?? {};
    events = rows[0]?.events ?? 0;
    if (events > 0) endTimer();
    context.metrics.deliveriesQueued.inc(deliveries);
    queued += deliveries;
  }
  return queued;
}
