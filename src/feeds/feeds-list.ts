import type { Caller } from "../accounts/keys/caller.ts";
import type { components } from "../generated/types.ts";
import type { Context } from "../platform/context.ts";
import { isFresh } from "../registry/freshness.ts";
import { columnNames, isVolatile } from "./catalogue.ts";
import { type EntitledFeed, entitledFeeds } from "./entitlement.ts";
import { currentVersion } from "./versions/versions.ts";

/** The feeds of the caller's plan, in the catalogue's order. A feed that is not live has no as_of and is not fresh. */
export async function listFeeds(
  context: Context,
  caller: Caller,
): Promise<components["schemas"]["FeedsOut"]> {
  return { data: await Promise.all(entitledFeeds(caller).map((entitled) => shown(context, entitled))) };
}

async function shown(
  context: Context,
  { feed, regions }: EntitledFeed,
): Promise<components["schemas"]["FeedOut"]> {
  const version = await currentVersion(context, feed);
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
