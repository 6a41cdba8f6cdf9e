import type { Caller } from "../accounts/keys/caller.ts";
import { chargeRows, countPreview } from "../accounts/usage/quota.ts";
import { countServedRows } from "../accounts/usage/usage-counter.ts";
import { newestEvents } from "../events/newest.ts";
import { entitledFeeds, requireFresh } from "../feeds/entitlement.ts";
import {
  type BusinessRecord,
  recordsOfBusiness,
  recordsOfBusinesses,
  type SeenVersion,
} from "../feeds/records/business-rows.ts";
import { VersionGoneError } from "../feeds/versions/feed-version.ts";
import { currentVersion } from "../feeds/versions/versions.ts";
import type { components } from "../generated/types.ts";
import type { Context } from "../platform/context.ts";
import { perDatabase } from "../platform/database/per-database.ts";
import { ProblemError } from "../platform/http/problem.ts";
import { type JsonPiece, type JsonText, joinJson, lentJson } from "../platform/json-text.ts";
import { countConnections } from "./connections/counts.ts";

/** A carrier's records in the feeds of the plan, in the order of the catalogue. */
type FeedRecords = Pick<components["schemas"]["CarrierOut"], "usdot" | "company" | "records">;

/**
 * The carrier of one USDOT number (digits, leading zeros allowed): its records in the caller's feeds and states, its
 * newest events, and how many businesses it is connected with. Charges a row for each record. ProblemError not_found when there is none, whatever the reason;
 * stale_source when one of the feeds is too old; quota_exceeded.
 */
export async function lookUpCarrier(
  context: Context,
  caller: Caller,
  usdot: string,
): Promise<JsonText<components["schemas"]["CarrierOut"]>> {
  const [records, more] = await Promise.all([
    foundRecords(context, caller, usdot),
    besideRecords(context, caller, usdot),
  ]);
  // Last, so that nothing is charged when one of them cannot be read.
  await chargeRows(context, caller, "api", records.length);
  countServedRecords(context, caller, records);
  return lentJson(carrierJson(records, `,${JSON.stringify(more).slice(1, -1)}`));
}

/** What the lookup has of a carrier beside its records. */
async function besideRecords(
  context: Context,
  caller: Caller,
  usdot: string,
): Promise<Omit<components["schemas"]["CarrierOut"], keyof FeedRecords>> {
  const [events, connections] = await Promise.all([
    newestEvents(context, caller, usdot),
    countConnections(context, caller, Number(usdot)),
  ]);
  return { events, ...connections };
}

async function foundRecords(context: Context, caller: Caller, usdot: string): Promise<BusinessRecord[]> {
  const records = await recordsOf(context, caller, Number(usdot));
  if (records.length === 0) throw notFound(usdot);
  return records;
}

/** Counts records that were served, by feed. */
export function countServedRecords(
  context: Context,
  caller: Caller,
  records: readonly BusinessRecord[],
): void {
  const byFeed = Map.groupBy(records, ({ version }) => version.feed.code);
  for (const [feed, { length }] of byFeed) countServedRows(context, caller, { feed, form: "json" }, length);
}

/** Adds a carrier of at least one record as pieces of JSON, with more members at its end. The records' own JSON is not decoded. */
export function addCarrierJson(pieces: JsonPiece[], records: readonly BusinessRecord[], more = ""): void {
  const [first] = records;
  if (first === undefined) throw new Error("A carrier has no record.");
  let before = `{"usdot":"${first.usdot}","company":${companyOf(first)},"records":[`;
  for (const { version, json } of records) {
    pieces.push(`${before}{"feed":"${version.feed.code}","as_of":"${version.asOf}","record":`, json);
    before = "},";
  }
  pieces.push(`}]${more}}`);
}

/** The JSON of one carrier. */
function carrierJson(records: readonly BusinessRecord[], more?: string): Buffer {
  const pieces: JsonPiece[] = [];
  addCarrierJson(pieces, records, more);
  return joinJson(pieces);
}

// A quote within a value is escaped, so only a member's name reads like this.
const COMPANY = Buffer.from('"company":"');
const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** The legal name in a record, as JSON. */
function companyOf({ json }: BusinessRecord): string {
  const at = json.indexOf(COMPANY);
  if (at < 0) throw new Error("A record has no name of its company.");
  const start = at + COMPANY.length;
  let end = start;
  while (end < json.length && json[end] !== QUOTE) end += json[end] === BACKSLASH ? 2 : 1;
  return json.toString("utf8", start - 1, end + 1);
}

/** The problem of a USDOT number that none of the caller's feeds has. */
export const notFound = (usdot: string): ProblemError =>
  new ProblemError("not_found", `None of your feeds has a record of USDOT number ${Number(usdot)}.`);

/** A carrier's records in the caller's feeds and states. ProblemError stale_source. */
async function recordsOf(context: Context, caller: Caller, usdot: number): Promise<BusinessRecord[]> {
  const records = await inSeenVersions(context, caller, (seen) => recordsOfBusiness(context, seen, usdot));
  requireFreshRecords(context, records);
  return records;
}

/** The same for people to look at; null when there is none. */
async function visibleCarrier(context: Context, caller: Caller, usdot: number): Promise<FeedRecords | null> {
  const records = await recordsOf(context, caller, usdot);
  return records.length === 0 ? null : (JSON.parse(String(carrierJson(records))) as FeedRecords);
}

/**
 * The records of carriers in the caller's feeds and states, by USDOT number, in the order of the catalogue. A carrier that
 * has none is not in it. ProblemError stale_source.
 */
export async function visibleRecords(
  context: Context,
  caller: Caller,
  usdots: readonly number[],
): Promise<ReadonlyMap<number, BusinessRecord[]>> {
  const found = await inSeenVersions(context, caller, (seen) => recordsOfBusinesses(context, seen, usdots));
  requireFreshRecords(context, [...found.values()].flat());
  return found;
}

function requireFreshRecords(context: Context, records: readonly BusinessRecord[]): void {
  for (const version of new Set(records.map((record) => record.version))) {
    requireFresh(context, version.feed, version.asOf);
  }
}

/** Reads the versions of the caller's snapshot, or those of now when one of them was dropped since. */
async function inSeenVersions<T>(
  context: Context,
  caller: Caller,
  read: (seen: readonly SeenVersion[]) => Promise<T>,
): Promise<T> {
  try {
    return await read(await seenInSnapshot(context, caller));
  } catch (error) {
    if (error instanceof VersionGoneError) return read(await seenVersions(context, caller, undefined));
    throw error;
  }
}

async function seenVersions(
  context: Context,
  caller: Caller,
  snapshotOf: Caller | undefined,
): Promise<readonly SeenVersion[]> {
  const seen = entitledFeeds(caller).map(async ({ feed, regions }) => {
    const version = await currentVersion(context, feed, snapshotOf);
    return version === null ? [] : [{ version, regions }];
  });
  return (await Promise.all(seen)).flat();
}

/** What callers with these feeds see, with the snapshot that it is of. */
const lastSeen = perDatabase(
  () => new WeakMap<Caller["feeds"], { served: string; seen: readonly SeenVersion[] }>(),
);

/** The versions of the caller's snapshot, found once for all callers who have it and the same feeds; without one, those of now. */
async function seenInSnapshot(context: Context, caller: Caller): Promise<readonly SeenVersion[]> {
  const served = caller.snapshot?.served;
  if (served === undefined || context.situation !== undefined) return seenVersions(context, caller, caller);
  const known = lastSeen(context.db);
  const last = known.get(caller.feeds);
  if (last?.served === served) return last.seen;
  const seen = await seenVersions(context, caller, caller);
  // Another one stood in for a version that was dropped: only for this request.
  if (seen.every(({ version }) => version.isOfSnapshot)) known.set(caller.feeds, { served, seen });
  return seen;
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
  await countPreview(context, caller);
  const found = await visibleCarrier(context, caller, Number(usdot));
  if (found === null) throw notFound(usdot);
  return { ...found, ...(await besideRecords(context, caller, usdot)) };
}
