// The removal list itself: businesses and contacts that are removed. Everything that changes it is here.
// Other modules read the views removal_list_business, removal_list_contact and removal_list_state.
import { dynamic, type Queryable } from "../platform/database/statement.ts";
import * as sql from "./statements.ts";

/**
 * Locks the removal list and keeps the registry unchanged until the transaction ends. So a request and a concurrent
 * import see each other, whichever comes first.
 */
export async function lockList(client: Queryable): Promise<void> {
  await sql.lockList.run(client);
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
  { businesses, contacts }: Effects,
  now: Date,
): Promise<sql.PutOnListRow> {
  const usdots = businesses.map(({ usdot }) => usdot);
  const listed = await feedsListing(client, usdots);
  const { rows } = await sql.putOnList.prepared(client, {
    requestIds: businesses.map(({ requestId }) => requestId),
    usdots,
    removedAt: businesses.map(({ at = now }) => at),
    contactRequestIds: contacts.map(({ requestId }) => requestId),
    contacts: contacts.map(({ value }) => value),
    feeds: listed.map(({ feed }) => feed),
    feedUsdots: listed.map(({ usdot }) => usdot),
    now,
  });
  return rows[0] as sql.PutOnListRow;
}

/** The feeds that list these businesses now; the brake counts removals by feed. */
async function feedsListing(
  client: Queryable,
  usdots: readonly number[],
): Promise<{ feed: string; usdot: number }[]> {
  const { rows: versions } = await sql.currentVersions.run(client);
  if (versions.length === 0) return [];
  const parts = versions.map(
    ({ id }, index) =>
      `SELECT DISTINCT $${index + 2}::text AS feed, usdot FROM published.feed_${Number(id)} WHERE usdot = ANY ($1::integer[])`,
  );
  const feeds = versions.map(({ feed }) => feed);
  const { rows } = await dynamic(client, parts.join(" UNION ALL "), [usdots, ...feeds]);
  return rows as { feed: string; usdot: number }[];
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
  await sql.deleteIdentifiers.run(client, { requestIds });
  await sql.deleteMatches.run(client, { requestIds });
  const { rows } = await sql.takeOff.run(client, { requestIds, now });
  return rows[0]?.businesses ?? 0;
}
