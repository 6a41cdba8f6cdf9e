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
  const events = await fanOutAll(context, "events", () => fanOutEvents(context, now));
  const corrections = await fanOutAll(context, "corrections", () => fanOutCorrections(context, now));
  const changes = await fanOutAll(context, "changes", () => fanOutChanges(context, now));
  return events + corrections + changes;
}

/** What one statement did. */
type FannedOut = { taken: number | null; deliveries: number | null } | undefined;

/** Repeats a statement while something waits for it. Asking for that takes a fraction of planning the statement. */
async function fanOutAll(
  { db, metrics }: Context,
  kind: keyof sql.FindWaitingRow,
  fanOutNext: () => Promise<FannedOut>,
): Promise<number> {
  let queued = 0;
  while ((await sql.findWaiting(db.pool))?.[kind]) {
    const next = await fanOutNext();
    if (!next?.taken) break;
    metrics.deliveriesQueued.inc(next.deliveries ?? 0);
    queued += next.deliveries ?? 0;
  }
  return queued;
}

async function fanOutEvents({ db, metrics }: Context, now: Date): Promise<FannedOut> {
  const endTimer = metrics.fanOutSeconds.startTimer();
  const next = await sql.fanOut(db.pool, {
    now,
    carriedTypes: CARRIED_TYPES,
    mostEvents: EVENTS_AT_ONCE,
    mostDeliveries: DELIVERIES_AT_ONCE,
  });
  if (next?.taken) endTimer();
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
