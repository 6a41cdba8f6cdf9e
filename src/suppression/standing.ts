import { Gauge } from "prom-client";
import type { Context } from "../platform/context.ts";
import { brakedFeeds, isBraked, type LatelyRemoved, latelyRemoved } from "./brake.ts";

/** How the removal list stands, for `tdf status`. */
export interface RemovalsStanding {
  businesses: number;
  contacts: number;
  /** Requests that wait for an operator. */
  waiting: number;
  waiting_since: string | null;
  /** Feeds of which so much was removed within a day that requests by phone or e-mail wait. */
  braked_feeds: string[];
}

export async function removalsStanding({
  db,
  clock,
}: Pick<Context, "db" | "clock">): Promise<RemovalsStanding> {
  const { rows } = await db.pool.query<{
    businesses: number;
    contacts: number;
    waiting: number;
    since: Date | null;
  }>(
    `SELECT (SELECT count(*) FROM suppressed_business) AS businesses,
       (SELECT count(*) FROM blanked_contact) AS contacts,
       count(*) AS waiting, min(request.requested_at) AS since
     FROM removal_request AS request
     WHERE request.id IN (SELECT request_id FROM removal_identifier WHERE state = 'waiting')`,
  );
  const { businesses = 0, contacts = 0, waiting = 0, since = null } = rows[0] ?? {};
  const braked_feeds = (await brakedFeeds(db.pool, clock.now())).map(({ feed }) => feed);
  return { businesses, contacts, waiting, waiting_since: since?.toISOString() ?? null, braked_feeds };
}

/** Those of some USDOT numbers whose businesses are on the removal list. */
export async function removedAmong({ db }: Context, usdots: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await db.pool.query<{ usdot: number }>(
    "SELECT usdot FROM suppressed_business WHERE usdot = ANY ($1)",
    [usdots],
  );
  return new Set(rows.map(({ usdot }) => usdot));
}

/** Adds to the metrics how much of each feed was removed within a day, over all processes; asked for when they are read. */
export function watchRemovals({ db, clock, metrics }: Pick<Context, "db" | "clock" | "metrics">): void {
  const addGauge = (name: string, help: string, valueIn: (lately: LatelyRemoved) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["feed"],
      registers: [metrics.registry],
      async collect() {
        // The other metrics are worth reading when the database is away, all the more.
        const feeds = await latelyRemoved(db.pool, clock.now()).catch(() => []);
        for (const lately of feeds) this.set({ feed: lately.feed }, valueIn(lately));
      },
    });
  addGauge(
    "tdf_removals_last_day",
    "Businesses of a feed that were removed within a day, over all processes.",
    ({ removed }) => removed,
  );
  addGauge(
    "tdf_removals_braked",
    "1 while so many businesses of a feed were removed within a day that requests by phone or e-mail wait.",
    (lately) => (isBraked(lately) ? 1 : 0),
  );
}
