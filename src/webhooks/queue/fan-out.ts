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
 * Queues a delivery for every new event, correction and change of a watched carrier, and each endpoint that it is for,
 * exactly once over any number of processes. Corrections come after the events of their import, so a receiver knows the
 * event; changes come last. Gives how many it queued: 0 while another process does it.
 */
export async function fanOut(context: Context, now = context.clock.now()): Promise<number> {
  let queued = 0;
  for (let next = await nextOf(context); next; next = await nextOf(context)) {
    const { taken, deliveries } = await next(context, now);
    if (!taken) break;
    context.metrics.deliveriesQueued.inc(deliveries);
    queued += deliveries;
  }
  return queued;
}

/** What one statement did. */
type FannedOut = { taken: number | null; deliveries: number };

/** What fans out the first kind that something waits of. Asking takes a fraction of planning one of the statements. */
async function nextOf({
  db,
}: Context): Promise<((context: Context, now: Date) => Promise<FannedOut>) | null> {
  const waiting = await sql.findWaiting(db.pool);
  if (waiting?.events) return fanOutEvents;
  if (waiting?.corrections) return fanOutCorrections;
  return waiting?.changes ? fanOutChanges : null;
}

async function fanOutEvents({ db, metrics }: Context, now: Date): Promise<FannedOut> {
  const endTimer = metrics.fanOutSeconds.startTimer();
  const next = await sql.fanOut(db.pool, {
    now,
    carriedTypes: CARRIED_TYPES,
    mostEvents: EVENTS_AT_ONCE,
    mostDeliveries: DELIVERIES_AT_ONCE,
  });
  if (next.taken) endTimer();
  return next;
}

/** Corrections are few. */
const fanOutCorrections = ({ db }: Context, now: Date): Promise<FannedOut> =>
  sql.fanOutCorrections(db.pool, { now, carriedTypes: CARRIED_TYPES, mostDeliveries: DELIVERIES_AT_ONCE });

/**
 * Accounts pay for the carriers they watch before, so that changes right after a month begins go to all who can pay; the
 * others may read them by cursor once they have paid.
 */
async function fanOutChanges(context: Context, now: Date): Promise<FannedOut> {
  const { db } = context;
  if ((await sql.changesAreAskedFor(db.pool)) > 0) await payEveryAccount(context);
  return sql.fanOutChanges(db.pool, {
    now,
    month: monthStartOf(now),
    mostChanges: CHANGES_AT_ONCE,
    mostDeliveries: DELIVERIES_AT_ONCE,
  });
}
