import type { Caller } from "../accounts/keys/caller.ts";
import { chargeRows, countPreview } from "../accounts/usage/quota.ts";
import { countServedRows } from "../accounts/usage/usage-counter.ts";
import { newestEvents } from "../events/newest.ts";
import { entitledFeeds, requireFresh } from "../feeds/entitlement.ts";
import { type BusinessRecord, recordsOfBusiness } from "../feeds/records/business-rows.ts";
import { VersionGoneError } from "../feeds/versions/feed-version.ts";
import { currentVersion } from "../feeds/versions/versions.ts";
import * as sql from "../generated/sql/carriers.ts";
import type { components } from "../generated/types.ts";
import type { Context } from "../platform/context.ts";
import { ProblemError } from "../platform/http/problem.ts";

/** The carrier of one USDOT number: its records as `lookUpFeedRecords` gives them, and its newest events. */
export async function lookUpCarrier(
  context: Context,
  caller: Caller,
  usdot: string,
): Promise<components["schemas"]["CarrierOut"]> {
  const [found, events] = await Promise.all([
    lookUpFeedRecords(context, caller, usdot),
    newestEvents(context, caller, usdot),
  ]);
  return { ...found, events };
}

/** A carrier's records in the feeds of the plan, in the order of the catalogue. */
export type FeedRecords = Pick<components["schemas"]["CarrierOut"], "usdot" | "company" | "records">;

/**
 * The records of one USDOT number (digits, leading zeros allowed) in the caller's feeds and states. Charges a row for
 * each. ProblemError not_found when there is none, whatever the reason; stale_source when one of the feeds is too old.
 */
export async function lookUpFeedRecords(
  context: Context,
  caller: Caller,
  usdot: string,
): Promise<FeedRecords> {
  const found = await visibleRecords(context, caller, Number(usdot));
  if (found === null) throw notFound(usdot);
  await chargeRows(context, caller, "api", found.records.length);
  for (const { feed } of found.records) countServedRows(context, caller, { feed, form: "json" }, 1);
  return found;
}

/** The problem of a USDOT number that none of the caller's feeds has. */
const notFound = (usdot: string): ProblemError =>
  new ProblemError("not_found", `None of your feeds has a record of USDOT number ${Number(usdot)}.`);

/** A carrier's records in the caller's feeds and states; null when there is none. ProblemError stale_source. */
async function visibleRecords(context: Context, caller: Caller, usdot: number): Promise<FeedRecords | null> {
  const found = await findRecords(context, caller, usdot, caller).catch((error) => {
    // The version was dropped after its number was read. A newer version exists.
    if (error instanceof VersionGoneError) return findRecords(context, caller, usdot, undefined);
    throw error;
  });
  for (const { version } of found) requireFresh(context, version.feed, version.asOf);
  const records = found.map(({ version, json }) => ({
    feed: version.feed.code,
    as_of: version.asOf,
    record: JSON.parse(json) as FeedRecords["records"][number]["record"],
  }));
  const [first] = records;
  return first ? { usdot: String(usdot), company: first.record.company, records } : null;
}

/** Reads the versions of the snapshot of `snapshotOf`; without one, those of now. */
async function findRecords(
  context: Context,
  caller: Caller,
  usdot: number,
  snapshotOf: Caller | undefined,
): Promise<BusinessRecord[]> {
  const seen = await Promise.all(
    entitledFeeds(caller).map(async ({ feed, regions }) => {
      const version = await currentVersion(context, feed, snapshotOf);
      return version === null ? [] : [{ version, regions }];
    }),
  );
  return recordsOfBusiness(context, seen.flat(), usdot);
}

/**
 * What `lookUpCarrier` would give, for a person to look at in the dashboard: free, with a daily limit of previews for each
 * account. The limit also counts numbers that are not found; without that, a program could search the feeds for every
 * number. ProblemError not_found, stale_source or rate_limited.
 */
export async function previewCarrier(
  context: Context,
  caller: Caller,
  usdot: string,
): Promise<components["schemas"]["CarrierOut"]> {
  await countPreview(context, caller.accountId);
  const found = await visibleRecords(context, caller, Number(usdot));
  if (found === null) throw notFound(usdot);
  return { ...found, events: await newestEvents(context, caller, usdot) };
}

/**
 * The carriers of the caller's feeds and states whose records have this docket number, as `readDocket` gives it. As a
 * rule there is one or none. ProblemError stale_source or rate_limited.
 */
export async function carriersWithDocket(
  context: Context,
  caller: Caller,
  docket: string,
): Promise<FeedRecords[]> {
  await countPreview(context, caller.accountId);
  const rows = await sql.findDocket(context.db.pool, { docket });
  const found = await Promise.all(rows.map(({ usdot }) => visibleRecords(context, caller, usdot)));
  return found
    .filter((carrier) => carrier !== null)
    .filter(({ records }) => records.some(({ record }) => record.docket_number === docket));
}
