import type { Caller } from "../../accounts/keys/caller.ts";
import { addDays, dayNumber, dayOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import type { FeedCode } from "../catalogue.ts";
import { entitledFeeds } from "../entitlement.ts";
import * as sql from "./statements.ts";
import { currentVersion } from "./versions.ts";

/** A feed's rows by day, oldest first, from the first known day to its as-of day, without removed ones. */
export type SizeHistory = readonly { day: string; rows: number }[];

/**
 * The sizes in the last `days` days of the live feeds that the caller's plan has in all states: sizes are known of all
 * states together only. Costs no quota.
 */
export async function sizeHistories(
  context: Context,
  caller: Caller,
  days: number,
): Promise<ReadonlyMap<FeedCode, SizeHistory>> {
  const feeds = entitledFeeds(caller).flatMap(({ feed, regions }) => (regions === null ? [feed] : []));
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
      return [[feed.code, everyDay([...known, { asOf, rows }], since)] as const];
    }),
  );
}

/** The size of each day since `since`. A day without a publication has the size of the day before. */
function everyDay(known: readonly { asOf: string; rows: number }[], since: string): SizeHistory {
  const [first, last] = [known[0]?.asOf ?? since, known.at(-1)?.asOf ?? since];
  const from = first < since ? since : first;
  const length = Math.max(0, dayNumber(last) - dayNumber(from) + 1);
  return Array.from({ length }, (_, index) => {
    const day = addDays(from, index);
    return { day, rows: known.findLast(({ asOf }) => asOf <= day)?.rows ?? 0 };
  });
}
