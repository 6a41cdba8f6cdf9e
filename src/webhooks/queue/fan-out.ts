import { CARRIED_TYPES } from "../../events/event-types.ts";
import * as sql from "../../generated/sql/webhooks/queue.ts";
import type { Context } from "../../platform/context.ts";

/** Cap of events per statement. */
const EVENTS_AT_ONCE = 2_000;
/** Cap of deliveries per statement, to stay under the 5 s statement timeout. */
const DELIVERIES_AT_ONCE = 10_000;

/**
 * Queues a delivery for every new event and correction, and each endpoint that it is for, exactly once over any number of
 * processes. Gives how many it queued: 0 while another process does it.
 */
export async function fanOut(context: Context, now = context.clock.now()): Promise<number> {
  let queued = 0;
  for (let events = 1; events > 0; ) {
    const endTimer = context.metrics.fanOutSeconds.startTimer();
    const row = await sql.fanOut(context.db.pool, {
      now,
      carriedTypes: CARRIED_TYPES,
      mostEvents: EVENTS_AT_ONCE,
      mostDeliveries: DELIVERIES_AT_ONCE,
    });
    const { deliveries = 0 } = row ?? {};
    events = row?.events ?? 0;
    if (events > 0) endTimer();
    context.metrics.deliveriesQueued.inc(deliveries);
    queued += deliveries;
  }
  return queued + (await fanOutCorrections(context, now));
}

/** Corrections come after the events of their import, so a receiver knows the event. They are few. */
async function fanOutCorrections({ db, metrics }: Context, now: Date): Promise<number> {
  let queued = 0;
  for (let corrections = 1; corrections > 0; ) {
    const row = await sql.fanOutCorrections(db.pool, {
      now,
      carriedTypes: CARRIED_TYPES,
      mostDeliveries: DELIVERIES_AT_ONCE,
    });
    const { deliveries = 0 } = row ?? {};
    corrections = row?.corrections ?? 0;
    metrics.deliveriesQueued.inc(deliveries);
    queued += deliveries;
  }
  return queued;
}
