import type pg from "pg";
import { DAY_MS } from "../platform/clock.ts";

const WINDOW_MS = DAY_MS;
/** A feed is braked when more businesses than both of these were removed from it within a day. */
const BRAKE_BUSINESSES = 50;
const BRAKE_SHARE = 0.005;

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

/** Removals from one feed within a day. */
export interface RemovedLastDay {
  feed: string;
  /** Businesses removed. */
  removed: number;
  /** Rows of the feed's current version. */
  rows: number;
}

/** The removals from each feed within the last day. */
export async function removedLastDay(client: pg.ClientBase | pg.Pool, now: Date): Promise<RemovedLastDay[]> {
  const { rows } = await client.query<RemovedLastDay>({
    name: "removal brake",
    text: REMOVED_SQL,
    values: [new Date(now.getTime() - WINDOW_MS)],
  });
  return rows;
}

/**
 * The braked feeds. While there is one, requests by phone or e-mail wait for an operator: a contact can stand for many
 * businesses, and nobody knows who sends the request.
 */
export const brakedFeeds = async (client: pg.ClientBase | pg.Pool, now: Date): Promise<RemovedLastDay[]> =>
  (await removedLastDay(client, now)).filter(isBraked);

/** Whether so many removals brake the feed. */
export const isBraked = ({ removed, rows }: RemovedLastDay): boolean =>
  removed > BRAKE_BUSINESSES && removed > BRAKE_SHARE * rows;
