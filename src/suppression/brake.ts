import type pg from "pg";

const WINDOW_MS = 86_400_000;
const MOST_BUSINESSES = 50;
const MOST_SHARE = 0.005;

const BRAKED_SQL = `
  SELECT lately.feed
  FROM feed_current
  JOIN feed_version ON feed_version.id = feed_current.version_id
  JOIN (
    SELECT feed, count(*) AS removed
    FROM suppressed_business CROSS JOIN unnest(feeds) AS feed
    WHERE suppressed_at > $1 GROUP BY feed
  ) AS lately ON lately.feed = feed_current.feed_code
  WHERE removed > $2 AND removed > $3::float8 * row_count
  ORDER BY lately.feed`;

/**
 * The feeds of which so many businesses were removed within a day that a person has to look before more go by phone or
 * e-mail: one of those may stand for several businesses, and nobody knows who asks.
 */
export async function brakedFeeds(client: pg.ClientBase | pg.Pool, now: Date): Promise<string[]> {
  const { rows } = await client.query<{ feed: string }>({
    name: "removal brake",
    text: BRAKED_SQL,
    values: [new Date(now.getTime() - WINDOW_MS), MOST_BUSINESSES, MOST_SHARE],
  });
  return rows.map(({ feed }) => feed);
}
