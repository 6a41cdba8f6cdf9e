import type { Context } from "../platform/context.ts";
import { FEEDS } from "./catalogue.ts";
import { findCurrentVersions, withRemovals } from "./find-versions.ts";
import { isFresh } from "./freshness.ts";

/** A feed as an operator sees it. */
export interface PublishedFeedShown {
  feed: string;
  version: number | null;
  /** Without those removed since the version was published. */
  rows: number | null;
  as_of: string | null;
  state: "fresh" | "stale" | "not live";
}

/** Every feed of the catalogue with the version that is served. */
export async function listPublishedFeeds(context: Context): Promise<PublishedFeedShown[]> {
  const found = await findCurrentVersions(context.db);
  const versions = await Promise.all(found.map((version) => withRemovals(context, version)));
  return FEEDS.map((feed) => {
    const current = versions.find((version) => version.feed === feed);
    if (!current) return { feed: feed.code, version: null, rows: null, as_of: null, state: "not live" };
    const { id: version, asOf: as_of, rowCount, removals } = current;
    const state = isFresh(context, feed, as_of) ? "fresh" : "stale";
    return { feed: feed.code, version, rows: rowCount - removals.positions.length, as_of, state };
  });
}
