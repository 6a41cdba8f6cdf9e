import * as sql from "../../generated/sql/suppression/transfer.ts";
import type { Context } from "../../platform/context.ts";
import type { Queryable } from "../../platform/database/statement.ts";
import { resolveRemovals } from "../matching.ts";
import { lockList, putOnList, type ServedFeeds, takeOffList } from "../removal-list.ts";
import { type ExportedRemoval, readExport } from "./export.ts";

const REQUESTS_AT_ONCE = 1_000;

/** The outcome of importing a removal list. */
export interface Restored {
  /** Requests in the file. */
  requests: number;
  /** Requests that this database did not have. */
  unknown: number;
  /** How many more businesses are removed than before; below 0 when more were undone. */
  businesses: number;
}

/**
 * Merges an exported removal list into this database. Of two states of a request, the one decided later wins. What either
 * list removed stays removed unless it was undone. Importing the same export again changes nothing.
 */
export async function restoreRemovals(
  context: Context,
  feeds: ServedFeeds,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<Restored> {
  const requests = await readExport(lines);
  const restored = await context.db.bulkTransaction((client) =>
    mergeRemovals(client, feeds, requests, context.clock.now()),
  );
  context.log.info(restored, "An operator imported a removal list.");
  return restored;
}

/** The same in the caller's transaction, with the requests of `readExport`. */
export async function mergeRemovals(
  client: Queryable,
  feeds: ServedFeeds,
  requests: readonly ExportedRemoval[],
  now: Date,
): Promise<Restored> {
  await lockList(client);
  const before = await countBusinesses(client);
  let unknown = 0;
  for (let at = 0; at < requests.length; at += REQUESTS_AT_ONCE) {
    unknown += await restore(client, feeds, requests.slice(at, at + REQUESTS_AT_ONCE), now);
  }
  await resolveRemovals(client, feeds, now);
  const businesses = (await countBusinesses(client)) - before;
  return { requests: requests.length, unknown, businesses };
}

/** Merges some requests. Returns how many of them this database did not have. */
async function restore(
  client: Queryable,
  feeds: ServedFeeds,
  requests: readonly ExportedRemoval[],
  now: Date,
): Promise<number> {
  const logged = await sql.restoreLog(client, { requests: JSON.stringify(requests) });
  const undone = new Set(await undoneOf(client, requests));
  await takeOffList(client, [...undone], now);
  const inEffect = requests.filter(({ request_id }) => !undone.has(request_id));
  const newer = new Set(logged.filter(({ is_newer }) => is_newer).map(({ id }) => id));
  await sql.restoreIdentifiers(client, {
    requests: JSON.stringify(inEffect.filter(({ request_id }) => newer.has(request_id))),
  });
  await removeAgain(client, feeds, inEffect, now);
  return logged.filter(({ is_unknown }) => is_unknown).length;
}

const countBusinesses = async (client: Queryable): Promise<number> =>
  (await sql.countBusinesses(client)).count;

async function undoneOf(client: Queryable, requests: readonly ExportedRemoval[]): Promise<number[]> {
  const rows = await sql.findUndone(client, {
    requestIds: requests.map(({ request_id }) => request_id),
  });
  return rows.map(({ id }) => id);
}

/** Businesses keep their time of removal. Contacts get the time now: versions built meanwhile show them. */
async function removeAgain(
  client: Queryable,
  feeds: ServedFeeds,
  requests: readonly ExportedRemoval[],
  now: Date,
): Promise<void> {
  const businesses = requests.flatMap(({ request_id: requestId, businesses }) =>
    businesses.map(({ usdot, matched_at }) => ({ requestId, usdot, at: new Date(matched_at) })),
  );
  const contacts = await sql.blankedOf(client, {
    requestIds: requests.map(({ request_id }) => request_id),
  });
  await putOnList(client, feeds, { businesses, contacts }, now);
}
