// The removal list itself: businesses and contacts that are removed. Everything that changes it is here.
// Other modules read the views removal_list_business, removal_list_contact, removal_list_named_contact and removal_list_state.

import * as sql from "../generated/sql/suppression.ts";
import type { Queryable } from "../platform/database/statement.ts";

/**
 * Locks the removal list and keeps the registry unchanged until the transaction ends. So a request and a concurrent
 * import see each other, whichever comes first.
 */
export async function lockList(client: Queryable): Promise<void> {
  await sql.lockList(client);
}

/** The number of the list's last change; 0 in an empty database. */
export async function newestNumber(client: Queryable): Promise<number> {
  const { isThere } = await sql.hasState(client);
  return isThere ? (await sql.newestNumber(client)).number : 0;
}

/**
 * Continues the list's number behind `given`, which a restore or a recovery took back. A copy of a feed that has one of the
 * numbers between has to be read anew.
 */
export async function continueNumber(client: Queryable, given: number): Promise<void> {
  await sql.continueNumber(client, { given });
}

/** The feeds that customers read now. src/feeds makes it: this module knows no tables of feeds. */
export interface ServedFeeds {
  /** How many rows each feed has. */
  rows(client: Queryable): Promise<{ feed: string; rows: number }[]>;
  /** The feeds that list these businesses. */
  listing(client: Queryable, usdots: readonly number[]): Promise<{ feed: string; usdot: number }[]>;
}

/** What requests remove: businesses from everywhere, contacts from every record that shows them. */
export interface Effects {
  /** `at`: the time of removal, if it is not now. */
  businesses: readonly { requestId: number; usdot: number; at?: Date }[];
  contacts: readonly { requestId: number; value: string }[];
}

/**
 * Puts businesses and contacts on the list, in a transaction that has locked it. Returns how many were new. The list's
 * number grows only if one was.
 */
export async function putOnList(
  client: Queryable,
  feeds: ServedFeeds,
  { businesses, contacts }: Effects,
  now: Date,
): Promise<sql.PutOnListRow> {
  const usdots = businesses.map(({ usdot }) => usdot);
  const listed = await feeds.listing(client, usdots);
  return sql.putOnList(client, {
    requestIds: businesses.map(({ requestId }) => requestId),
    usdots,
    removedAt: businesses.map(({ at = now }) => at),
    contactRequestIds: contacts.map(({ requestId }) => requestId),
    contacts: contacts.map(({ value }) => value),
    feeds: listed.map(({ feed }) => feed),
    feedUsdots: listed.map(({ usdot }) => usdot),
    now,
  });
}

/**
 * Ends the effect of requests, in a transaction that has locked the list. Businesses and contacts that no other request
 * removed are taken off the list. Returns the number of these businesses.
 */
export async function takeOffList(
  client: Queryable,
  requestIds: readonly number[],
  now: Date,
): Promise<number> {
  await sql.deleteIdentifiers(client, { requestIds });
  await sql.deleteMatches(client, { requestIds });
  return (await sql.takeOff(client, { requestIds, now })).businesses;
}
