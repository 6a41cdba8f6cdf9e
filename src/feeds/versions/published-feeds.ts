import type { Context } from "../../platform/context.ts";
import { isFresh } from "../../registry/freshness.ts";
import { FEEDS } from "../catalogue.ts";
import { findCurrentVersions, openVersion } from "./find-versions.ts";
import * as sql from "./statements.ts";

/** A feed with what is published of it, as operators and the front page show it. */
export interface PublishedFeedShown {
  feed: string;
  version: number | null;
  /** Without rows removed since the version was published. */
  rows: number | null;
  as_of: string | null;
  state: "fresh" | "stale" | "not live";
  /** When an operator pointed readers back to this version; null for the newest version. */
  rolled_back_at: string | null;
}

/** Every feed of the catalogue with the version that is served. */
export async function listPublishedFeeds(context: Context): Promise<PublishedFeedShown[]> {
  const found = await findCurrentVersions(context.db);
  const versions = await Promise.all(found.map((version) => openVersion(context, version)));
  const rolledBack = await sql.rolledBack.run(context.db.pool);
  return FEEDS.map((feed) => {
    const current = versions.find((version) => version.feed === feed);
    if (!current) {
      return {
        feed: feed.code,
        version: null,
        rows: null,
        as_of: null,
        state: "not live",
        rolled_back_at: null,
      };
    }
    const rolled_back_at = rolledBack.rows.find((row) => row.feed === feed.code)?.at.toISOString() ?? null;
    const { id: version, asOf: as_of, rowCount, removals } = current;
    const state = isFresh(context, as_of) ? "fresh" : "stale";
    return {
      feed: feed.code,
      version,
      rows: rowCount - removals.positions.length,
      as_of,
      state,
      rolled_back_at,
    };
  });
}
