import { Gauge } from "prom-client";
import * as sql from "../generated/sql/suppression.ts";
import { DAY_MS } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import type { Queryable } from "../platform/database/statement.ts";
import type { ServedFeeds } from "./removal-list.ts";

const WINDOW_MS = DAY_MS;
/** A feed is braked when more businesses than both of these were removed from it within a day. */
const BRAKE_BUSINESSES = 50;
const BRAKE_SHARE = 0.005;

/** Businesses removed from one feed within a day, and the rows of its current version. */
export interface RemovedLastDay {
  feed: string;
  removed: number;
  rows: number;
}

/** The removals from each feed within the last day. */
async function removedLastDay(client: Queryable, feeds: ServedFeeds, now: Date): Promise<RemovedLastDay[]> {
  const removals = await sql.removedSince(client, { since: new Date(now.getTime() - WINDOW_MS) });
  const removedFrom = new Map(removals.map(({ feed, removed }) => [feed, removed]));
  const served = await feeds.rows(client);
  return served.map(({ feed, rows }) => ({ feed, removed: removedFrom.get(feed) ?? 0, rows }));
}

/**
 * The braked feeds. While there is one, requests by phone or e-mail wait for an operator: a contact can match many
 * businesses, and the sender of a request is unknown.
 */
export const brakedFeeds = async (
  client: Queryable,
  feeds: ServedFeeds,
  now: Date,
): Promise<RemovedLastDay[]> => (await removedLastDay(client, feeds, now)).filter(isBraked);

/** Whether so many removals brake the feed. */
const isBraked = ({ removed, rows }: RemovedLastDay): boolean =>
  removed > BRAKE_BUSINESSES && removed > BRAKE_SHARE * rows;

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

export async function removalsStatus(
  { db, clock }: Pick<Context, "db" | "clock">,
  feeds: ServedFeeds,
): Promise<RemovalsStatus> {
  const { businesses, contacts, waiting, since } = await sql.listState(db.pool);
  const braked_feeds = (await brakedFeeds(db.pool, feeds, clock.now())).map(({ feed }) => feed);
  return { businesses, contacts, waiting, waiting_since: since?.toISOString() ?? null, braked_feeds };
}

/** The USDOT numbers among these whose businesses are on the removal list, each with the list's number since then. */
export async function removedAmong(
  { db }: Context,
  usdots: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (usdots.length === 0) return new Map();
  const rows = await sql.removedAmong(db.pool, { usdots });
  return new Map(rows.map(({ usdot, number }) => [usdot, number]));
}

/** How many businesses were removed since then that were listed in at least one of these feeds. */
export async function countRemovedSince(
  { db }: Pick<Context, "db">,
  feedCodes: readonly string[],
  since: Date,
): Promise<number> {
  return (await sql.countRemovedSince(db.pool, { since, feeds: feedCodes })).count;
}

/** Adds the removals of the last day to the metrics, per feed and over all processes. A scrape reads them. */
export function watchRemovals(
  { db, clock, metrics }: Pick<Context, "db" | "clock" | "metrics">,
  feeds: ServedFeeds,
): void {
  const addGauge = (name: string, help: string, toValue: (removed: RemovedLastDay) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["feed"],
      registers: [metrics.registry],
      async collect() {
        // Without the database these gauges are empty; all other metrics are still served.
        const all = await removedLastDay(db.pool, feeds, clock.now()).catch(() => []);
        this.reset();
        for (const removed of all) this.set({ feed: removed.feed }, toValue(removed));
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
  new Gauge({
    name: "tdf_removals_waiting",
    help: "Removal requests that wait for an operator's decision, over all processes.",
    registers: [metrics.registry],
    async collect() {
      this.set((await sql.listState(db.pool).catch(() => undefined))?.waiting ?? Number.NaN);
    },
  });
}
