import type pg from "pg";
import { loadSql } from "../platform/database/sql.ts";

const PUT_SQL = loadSql(import.meta.url, "put-on-list.sql");

/** What a matched request needs to read of the registry. */
const REGISTRY =
  "census, authority, motus_carrier, motus_authhist, motus_revokesuspend, legacy_carrier, shared_contact, agent_contact";

/**
 * From here to the end of the transaction nobody else changes the removal list, and the registry does not change: a
 * request and an import that meet see each other, whichever comes first.
 */
export async function lockList(client: pg.ClientBase): Promise<void> {
  // The registry before the list: an import that clears the registry takes the two in this order too.
  await client.query(`LOCK TABLE ${REGISTRY} IN ACCESS SHARE MODE; SELECT FROM suppression_state FOR UPDATE`);
}

/** What requests remove: businesses from everywhere, contacts from wherever they stand. */
export interface Effects {
  /** `at`: when it was removed, unless that is now. */
  businesses: readonly { requestId: number; usdot: number; at?: Date }[];
  contacts: readonly { requestId: number; value: string }[];
}

/**
 * Puts businesses and contacts on the list, in a transaction that has locked it. Gives how many of each were not there
 * yet; only then does the list's number grow.
 */
export async function putOnList(
  client: pg.ClientBase,
  { businesses, contacts }: Effects,
  now: Date,
): Promise<{ businesses: number; contacts: number }> {
  const usdots = businesses.map(({ usdot }) => usdot);
  const stands = await feedsOf(client, usdots);
  const { rows } = await client.query<{ businesses: number; contacts: number }>({
    name: "removal list",
    text: PUT_SQL,
    values: [
      businesses.map(({ requestId }) => requestId),
      usdots,
      businesses.map(({ at = now }) => at),
      contacts.map(({ requestId }) => requestId),
      contacts.map(({ value }) => value),
      stands.map(({ feed }) => feed),
      stands.map(({ usdot }) => usdot),
      now,
    ],
  });
  return rows[0] as { businesses: number; contacts: number };
}

/** In which feeds businesses stand now: what the brake counts. */
async function feedsOf(
  client: pg.ClientBase,
  usdots: readonly number[],
): Promise<{ feed: string; usdot: number }[]> {
  const { rows: versions } = await client.query<{ feed: string; id: number }>(
    "SELECT feed_code AS feed, version_id AS id FROM feed_current ORDER BY feed_code",
  );
  if (versions.length === 0) return [];
  const parts = versions.map(
    ({ id }, place) =>
      `SELECT DISTINCT $${place + 2}::text AS feed, usdot FROM published.feed_${Number(id)} WHERE usdot = ANY ($1::integer[])`,
  );
  const { rows } = await client.query<{ feed: string; usdot: number }>(parts.join(" UNION ALL "), [
    usdots,
    ...versions.map(({ feed }) => feed),
  ]);
  return rows;
}
