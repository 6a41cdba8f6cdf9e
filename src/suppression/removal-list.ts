// The removal list itself: businesses and contacts that are removed. Everything that changes it is here.
// Other modules read the views removal_list_business, removal_list_contact and removal_list_state.
import type pg from "pg";
import { loadSql } from "../platform/database/sql.ts";

const PUT_SQL = loadSql(import.meta.url, "put-on-list.sql");
const TAKE_OFF_SQL = loadSql(import.meta.url, "take-off.sql");

/** The tables that matching.sql reads. */
const REGISTRY =
  "census, authority, motus_carrier, motus_authhist, motus_revokesuspend, legacy_carrier, shared_contact, agent_contact";

/**
 * Locks the removal list and keeps the registry unchanged until the transaction ends. So a request and a concurrent
 * import see each other, whichever comes first.
 */
export async function lockList(client: pg.ClientBase): Promise<void> {
  // First the registry, then the list: an import that clears the registry locks both in this order.
  await client.query(`LOCK TABLE ${REGISTRY} IN ACCESS SHARE MODE; SELECT FROM suppression_state FOR UPDATE`);
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
  client: pg.ClientBase,
  { businesses, contacts }: Effects,
  now: Date,
): Promise<{ businesses: number; contacts: number }> {
  const usdots = businesses.map(({ usdot }) => usdot);
  const listed = await feedsListing(client, usdots);
  const { rows } = await client.query<{ businesses: number; contacts: number }>({
    name: "removal list",
    text: PUT_SQL,
    values: [
      businesses.map(({ requestId }) => requestId),
      usdots,
      businesses.map(({ at = now }) => at),
      contacts.map(({ requestId }) => requestId),
      contacts.map(({ value }) => value),
      listed.map(({ feed }) => feed),
      listed.map(({ usdot }) => usdot),
      now,
    ],
  });
  return rows[0] as { businesses: number; contacts: number };
}

/** The feeds that list these businesses now; the brake counts removals by feed. */
async function feedsListing(
  client: pg.ClientBase,
  usdots: readonly number[],
): Promise<{ feed: string; usdot: number }[]> {
  const { rows: versions } = await client.query<{ feed: string; id: number }>(
    "SELECT feed_code AS feed, version_id AS id FROM feed_current ORDER BY feed_code",
  );
  if (versions.length === 0) return [];
  const parts = versions.map(
    ({ id }, index) =>
      `SELECT DISTINCT $${index + 2}::text AS feed, usdot FROM published.feed_${Number(id)} WHERE usdot = ANY ($1::integer[])`,
  );
  const { rows } = await client.query<{ feed: string; usdot: number }>(parts.join(" UNION ALL "), [
    usdots,
    ...versions.map(({ feed }) => feed),
  ]);
  return rows;
}

/**
 * Ends the effect of requests, in a transaction that has locked the list. Businesses and contacts that no other request
 * removed leave it. Returns the number of these businesses.
 */
export async function takeOffList(client: pg.ClientBase, requestIds: readonly number[]): Promise<number> {
  await client.query("DELETE FROM removal_identifier WHERE request_id = ANY ($1)", [requestIds]);
  await client.query("DELETE FROM removal_match WHERE request_id = ANY ($1)", [requestIds]);
  const { rows } = await client.query<{ businesses: number }>(TAKE_OFF_SQL, [requestIds]);
  return rows[0]?.businesses ?? 0;
}
