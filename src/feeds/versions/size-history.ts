import type { Caller } from "../../accounts/keys/caller.ts";
import { addDays, dayNumber, dayOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import type { FeedCode } from "../catalogue.ts";
import { entitledFeeds } from "../entitlement.ts";
import * as sql from "./statements.ts";
import { currentVersion } from "./versions.ts";

/** How many rows a feed has, in all states together. */
export interface SizeHistory {
  /** Rows of the version that is served, without removed ones. */
  rows: number;
  /** Rows by day, oldest first, from the first known day to the feed's as-of day. */
  byDay: readonly { day: string; rows: number }[];
}

/** The sizes of the live feeds of the caller's plan, with those of the last `days` days. Costs no quota. */
export async function sizeHistories(
  context: Context,
  caller: Caller,
  days: number,
): Promise<ReadonlyMap<FeedCode, SizeHistory>> {
  const feeds = entitledFeeds(caller).map(({ feed }) => feed);
  const since = addDays(dayOf(context.clock.now()), 1 - days);
  const [{ rows: recorded }, versions] = await Promise.all([
    sql.sizeHistory.run(context.db.pool, { feeds: feeds.map(({ code }) => code), since }),
    Promise.all(feeds.map((feed) => currentVersion(context, feed))),
  ]);
  const byFeed = Map.groupBy(recorded, ({ feed }) => feed);
  return new Map(
    versions.flatMap((version) => {
      if (version === null) return [];
      const { feed, asOf, rowCount, removals } = version;
      const rows = rowCount - removals.positions.length;
      const known = (byFeed.get(feed.code) ?? []).filter((each) => each.asOf < asOf);
      return [[feed.code, { rows, byDay: everyDay([...known, { asOf, rows }], since) }] as const];
    }),
  );
}

/** The size of each day since `since`. A day without a publication has the size of the day before. */
function everyDay(known: readonly { asOf: string; rows: number }[], since: string): SizeHistory["byDay"] {
  const [first, last] = [known[0]?.asOf ?? since, known.at(-1)?.asOf ?? since];
  const from = first < since ? since : first;
  const length = Math.max(0, dayNumber(last) - dayNumber(from) + 1);
  return Array.from({ length }, (_, index) => {
    const day = addDays(from, index);
    return { day, rows: known.findLast(({ asOf }) => asOf <= day)?.rows ?? 0 };
  });
}
