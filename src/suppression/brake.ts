import type pg from "pg";
import { DAY_MS } from "../platform/clock.ts";

const WINDOW_MS = DAY_MS;
const MOST_BUSINESSES = 50;
const MOST_SHARE = 0.005;

const REMOVED_SQL = `
  SELECT feed_current.feed_code AS feed, coalesce(removed, 0) AS removed, row_count AS rows
  FROM feed_current
  JOIN feed_version ON feed_version.id = feed_current.version_id
  LEFT JOIN (
    SELECT feed, count(*) AS removed
    FROM suppressed_business CROSS JOIN unnest(feeds) AS feed
    WHERE suppressed_at > $1 GROUP BY feed
  ) AS lately ON lately.feed = feed_current.feed_code
  ORDER BY feed_current.feed_code`;

/** How much of a feed was removed within a day. */
export interface LatelyRemoved {
  feed: string;
  /** Businesses. */
  removed: number;
  rows: number;
}

/** What was removed of each feed within the last day. */
export async function latelyRemoved(client: pg.ClientBase | pg.Pool, now: Date): Promise<LatelyRemoved[]> {
  const { rows } = await client.query<LatelyRemoved>({
    name: "removal brake",
    text: REMOVED_SQL,
    values: [new Date(now.getTime() - WINDOW_MS)],
  });
  return rows;
}

/**
 * The feeds of which so many businesses were removed within a day that a person has to look before more go by phone or
 * e-mail: one of those may stand for several businesses, and nobody knows who asks.
 */
export const brakedFeeds = async (client: pg.ClientBase | pg.Pool, now: Date): Promise<LatelyRemoved[]> =>
  (await latelyRemoved(client, now)).filter(isBraked);

/** Whether so much of a feed is a burst. */
export const isBraked = ({ removed, rows }: LatelyRemoved): boolean =>
  removed > MOST_BUSINESSES && removed > MOST_SHARE * rows;
