import { CARRIED_TYPES } from "../../events/event-types.ts";
import * as sql from "../../generated/sql/webhooks/queue.ts";
import { monthStartOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { payEveryAccount } from "../../watchlists/pay-for-month.ts";

/** Cap of events per statement. */
const EVENTS_AT_ONCE = 2_000;
/** Cap of changes of carriers that a statement looks at. */
const CHANGES_AT_ONCE = 2_000;
/** Cap of deliveries per statement, to stay under the 5 s statement timeout. */
const DELIVERIES_AT_ONCE = 20_000;

/**
 * Queues a delivery for every new event, correction and change of a watched carrier, and each endpoint that it is for, exactly once over any number of
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
  return queued + (await fanOutCorrections(context, now)) + (await fanOutChanges(context, now));
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

/**
 * Changes come last. Accounts pay for the carriers they watch before, so that changes right after a month begins go to all
 * who can pay; the others may read them by cursor once they have paid.
 */
async function fanOutChanges(context: Context, now: Date): Promise<number> {
  const { db, metrics } = context;
  if ((await sql.changesWait(db.pool)) > 0) await payEveryAccount(context);
  let queued = 0;
  for (let changes = 1; changes > 0; ) {
    const row = await sql.fanOutChanges(db.pool, {
      now,
      month: monthStartOf(now),
      mostChanges: CHANGES_AT_ONCE,
      mostDeliveries: DELIVERIES_AT_ONCE,
    });
    const { deliveries = 0 } = row ?? {};
    changes = row?.changes ?? 0;
    metrics.deliveriesQueued.inc(deliveries);
    queued += deliveries;
  }
  return queued;
}
