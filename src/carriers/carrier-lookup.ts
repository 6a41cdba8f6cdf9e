import type { Caller } from "../accounts/keys/caller.ts";
import { chargeRows } from "../accounts/usage/quota.ts";
import { countServedRows } from "../accounts/usage/served-rows.ts";
import { entitledFeeds } from "../feeds/entitlement.ts";
import { requireFresh } from "../feeds/records/freshness.ts";
import { type FeedVersion, fromVersion, VersionGoneError } from "../feeds/versions/feed-version.ts";
import { completeRecord } from "../feeds/versions/version-columns.ts";
import { versionTable } from "../feeds/versions/version-table.ts";
import { currentVersion } from "../feeds/versions/versions.ts";
import type { components } from "../generated/types.ts";
import type { Context } from "../platform/context.ts";
import { ProblemError } from "../platform/http/problem.ts";

/** A carrier's records over the feeds of the plan, in the catalogue's order. */
export type FeedRecords = Pick<components["schemas"]["CarrierOut"], "usdot" | "company" | "records">;

/**
 * The records of one USDOT number (digits, leading zeros allowed) in the caller's feeds and states, charged each.
 * ProblemError not_found where there are none, for whatever reason; stale_source when one of them is too old.
 */
export async function lookUpFeedRecords(
  context: Context,
  caller: Caller,
  usdot: string,
): Promise<FeedRecords> {
  const number = Number(usdot);
  const found = await findRecords(context, caller, number).catch((error) => {
    // A publish came between pointer and rows: what it points to now is there.
    if (error instanceof VersionGoneError) return findRecords(context, caller, number);
    throw error;
  });
  for (const { version } of found) requireFresh(context, version.feed, version.asOf);
  const records = found.map(({ version, json }) => ({
    feed: version.feed.code,
    as_of: version.asOf,
    record: JSON.parse(json) as FeedRecords["records"][number]["record"],
  }));
  const [first] = records;
  if (!first)
    throw new ProblemError("not_found", `No record of USDOT number ${number} stands in your feeds.`);
  await chargeRows(context, caller, "api", records.length);
  for (const { feed } of records) countServedRows(context, caller, { feed, form: "json" }, 1);
  return { usdot: String(number), company: first.record.company, records };
}

interface FoundRecord {
  version: FeedVersion;
  json: string;
}

async function findRecords(context: Context, caller: Caller, usdot: number): Promise<FoundRecord[]> {
  const entitled = entitledFeeds(caller);
  const versions = await Promise.all(entitled.map(({ feed }) => currentVersion(context, feed)));
  const live = entitled.flatMap(({ regions }, place) => {
    const version = versions[place];
    return version ? [{ version, regions }] : [];
  });
  const [first] = live;
  if (!first) return [];
  // One statement over all feeds; each part has its own states as a parameter of its own.
  const parts = live.map(
    ({ version }, place) =>
      `SELECT ${place} AS place, pos, json FROM ${versionTable(version.id)}
       WHERE usdot = $1 AND ($${place + 2}::text[] IS NULL OR state = ANY ($${place + 2}::text[]))`,
  );
  const { rows } = await fromVersion(first.version, () =>
    context.db.pool.query<{ place: number; pos: number; json: string }>(
      `${parts.join("\nUNION ALL\n")}\nORDER BY place, pos`,
      [usdot, ...live.map(({ regions }) => regions)],
    ),
  );
  return rows.flatMap(({ place, pos, json }) => {
    const { version } = live[place] as { version: FeedVersion };
    return version.removals.positions.includes(pos)
      ? []
      : [{ version, json: completeRecord(version.columns, json) }];
  });
}
