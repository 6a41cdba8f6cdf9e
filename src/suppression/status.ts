import { Gauge } from "prom-client";
import type { Context } from "../platform/context.ts";
import { brakedFeeds, isBraked, type RemovedLastDay, removedLastDay } from "./brake.ts";
import * as sql from "./statements.ts";

/** The state of the removal list, for `tdf status`. */
export interface RemovalsStatus {
  businesses: number;
  contacts: number;
  /** Requests that wait for an operator. */
  waiting: number;
  waiting_since: string | null;
  /** Feeds with so many removals within a day that requests by phone or e-mail wait. */
  braked_feeds: string[];
}

export async function removalsStatus({ db, clock }: Pick<Context, "db" | "clock">): Promise<RemovalsStatus> {
  const { rows } = await sql.listState.run(db.pool);
  const { businesses = 0, contacts = 0, waiting = 0, since = null } = rows[0] ?? {};
  const braked_feeds = (await brakedFeeds(db.pool, clock.now())).map(({ feed }) => feed);
  return { businesses, contacts, waiting, waiting_since: since?.toISOString() ?? null, braked_feeds };
}

/** The USDOT numbers among these whose businesses are on the removal list, each with the list's number since then. */
export async function removedAmong(
  { db }: Context,
  usdots: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql.removedAmong.run(db.pool, { usdots });
  return new Map(rows.map(({ usdot, number }) => [usdot, number]));
}

/** How many businesses were removed since then that were listed in at least one of these feeds. */
export async function countRemovedSince(
  { db }: Pick<Context, "db">,
  feedCodes: readonly string[],
  since: Date,
): Promise<number> {
  const { rows } = await sql.countRemovedSince.run(db.pool, { since, feeds: feedCodes });
  return rows[0]?.count ?? 0;
}

/** Adds the removals of the last day to the metrics, per feed and over all processes. A scrape reads them. */
export function watchRemovals({ db, clock, metrics }: Pick<Context, "db" | "clock" | "metrics">): void {
  const addGauge = (name: string, help: string, toValue: (removed: RemovedLastDay) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["feed"],
      registers: [metrics.registry],
      async collect() {
        // Without the database these gauges are empty; all other metrics are still served.
        const feeds = await removedLastDay(db.pool, clock.now()).catch(() => []);
        for (const removed of feeds) this.set({ feed: removed.feed }, toValue(removed));
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
    (removed) => (isBraked(removed) ? 1 : 0),
  );
}
