import type { Caller } from "../../accounts/keys/caller.ts";
import * as sql from "../../generated/sql/feeds/versions.ts";
import type { components } from "../../generated/types.ts";
import { addDays, dayNumber, dayOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { dynamic, type Queryable } from "../../platform/database/statement.ts";
import { isFresh, staleFrom } from "../../registry/freshness.ts";
import type { ServedFeeds } from "../../suppression/removal-list.ts";
import { requestRemoval } from "../../suppression/requests/request.ts";
import { columnNames, FEEDS, type FeedCode, isVolatile } from "../catalogue.ts";
import { type EntitledFeed, entitledFeeds } from "../entitlement.ts";
import { versionTable } from "./feed-version.ts";
import { findCurrentVersions, openVersion } from "./find-versions.ts";
import { currentVersion } from "./versions.ts";

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

/** The feeds that an operator rolled back; they are held until an import releases them. */
export async function heldFeeds(client: Queryable): Promise<string[]> {
  const rows = await sql.rolledBack(client);
  return rows.map(({ feed }) => feed);
}

/** Every feed of the catalogue with the version that is served. */
export async function listPublishedFeeds(context: Context): Promise<PublishedFeedShown[]> {
  const found = await findCurrentVersions(context.db);
  const versions = await Promise.all(found.map((version) => openVersion(context, version)));
  const rolledBack = await sql.rolledBack(context.db.pool);
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
    const rolled_back_at = rolledBack.find((row) => row.feed === feed.code)?.at.toISOString() ?? null;
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

/** Whether a feed is served now, and since when. */
export interface FeedState {
  feed: FeedCode;
  name: string;
  isServed: boolean;
  /** When the version that is served was published; else when the feed became stale. Null: it was never live. */
  since: Date | null;
  asOf: string | null;
  /** From when on it is not served unless newer files are imported. */
  staleFrom: Date | null;
  /** When an operator pointed readers back to an older version. */
  rolledBackAt: Date | null;
}

/** Every feed of the catalogue. */
export async function feedStates(context: Context): Promise<FeedState[]> {
  const found = await findCurrentVersions(context.db);
  const rolledBack = await sql.rolledBack(context.db.pool);
  return FEEDS.map((feed) => {
    const version = found.find((each) => each.feed === feed);
    const { code, name } = feed;
    const none = { asOf: null, staleFrom: null, rolledBackAt: null };
    if (!version) return { feed: code, name, isServed: false, since: null, ...none };
    const isServed = isFresh(context, version.asOf);
    const endsAt = staleFrom(version.asOf);
    return {
      feed: code,
      name,
      isServed,
      since: isServed ? new Date(version.publishedAtMs) : endsAt,
      asOf: version.asOf,
      staleFrom: endsAt,
      rolledBackAt: rolledBack.find((row) => row.feed === code)?.at ?? null,
    };
  });
}

/** The feeds of the caller's plan, in the catalogue's order. A feed that is not live has no as_of and is not fresh. */
export async function listFeeds(
  context: Context,
  caller: Caller,
): Promise<components["schemas"]["FeedsOut"]> {
  return {
    data: await Promise.all(entitledFeeds(caller).map((entitled) => shown(context, caller, entitled))),
  };
}

async function shown(
  context: Context,
  caller: Caller,
  { feed, regions }: EntitledFeed,
): Promise<components["schemas"]["FeedOut"]> {
  const version = await currentVersion(context, feed, caller);
  return {
    code: feed.code,
    name: feed.name,
    country: feed.country,
    cadence: feed.cadence,
    as_of: version?.asOf ?? null,
    fresh: version !== null && isFresh(context, version.asOf),
    allowed_filters: [...feed.allowedFilters],
    columns: [...(version?.columns.names ?? columnNames(feed))],
    volatile_columns: columnNames(feed, isVolatile),
    regions: regions && [...regions],
  };
}

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
  const [recorded, versions] = await Promise.all([
    sql.sizeHistory(context.db.pool, { feeds: feeds.map(({ code }) => code), since }),
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

/** The feeds that customers read now, for the removal list: it counts removals by feed. */
export const servedFeeds: ServedFeeds = {
  rows: (client) => sql.servedVersions(client),
  async listing(client, usdots) {
    const versions = await sql.servedVersions(client);
    if (versions.length === 0) return [];
    const parts = versions.map(
      ({ id }, index) =>
        `SELECT DISTINCT $${index + 2}::text AS feed, usdot FROM ${versionTable(id)} WHERE usdot = ANY ($1::integer[])`,
    );
    const feeds = versions.map(({ feed }) => feed);
    const { rows } = await dynamic(client, parts.join(" UNION ALL "), [usdots, ...feeds]);
    return rows as { feed: string; usdot: number }[];
  },
};

/** Records a removal request, as `requestRemoval` of src/suppression does, with the feeds that are served now. */
export const requestRemovalFromFeeds = (
  context: Context,
  ...request: [clientAddress: string, sent: components["schemas"]["OptOutIn"]]
): ReturnType<typeof requestRemoval> => requestRemoval(context, servedFeeds, ...request);
