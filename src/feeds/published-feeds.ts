import type { Context } from "../platform/context.ts";
import { FEEDS } from "./catalogue.ts";
import { isFresh } from "./freshness.ts";

/** A feed as an operator sees it. */
export interface PublishedFeedShown {
  feed: string;
  version: number | null;
  rows: number | null;
  as_of: string | null;
  state: "fresh" | "stale" | "not live";
}

/** Every feed of the catalogue with the version that is served. */
export async function listPublishedFeeds(context: Context): Promise<PublishedFeedShown[]> {
  const { rows } = await context.db.pool.query<{
    feed: string;
    version: number;
    rows: number;
    as_of: string;
  }>(
    `SELECT feed_current.feed_code AS feed, id AS version, row_count AS rows, as_of
     FROM feed_current JOIN feed_version ON id = version_id`,
  );
  return FEEDS.map((feed) => {
    const current = rows.find((row) => row.feed === feed.code);
    if (!current) return { feed: feed.code, version: null, rows: null, as_of: null, state: "not live" };
    return { ...current, state: isFresh(context, feed, current.as_of) ? "fresh" : "stale" };
  });
}
