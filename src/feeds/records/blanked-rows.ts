import { LRUCache } from "lru-cache";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { columnNames, isContact } from "../catalogue.ts";
import { fromVersion, type PublishedVersion } from "../versions/feed-version.ts";
import { versionTable } from "../versions/version-table.ts";
import * as sql from "./statements.ts";

/** The positions in a version of each contact that was looked for. */
type Found = Map<string, readonly number[]>;

const VERSIONS_KEPT = 64;
const foundOf = perDatabase(() => new LRUCache<string, Found>({ max: VERSIONS_KEPT }));

/**
 * Positions of rows with a contact that was blanked after the version was built. Such rows are left out until the next
 * import builds a version without the contact.
 */
export async function rowsOfBlankedContacts(
  context: Pick<Context, "db">,
  version: PublishedVersion,
): Promise<number[]> {
  const contacts = await blankedSince(context, version);
  if (contacts.length === 0) return [];
  const kept = foundOf(context.db);
  const name = `${version.id} ${version.publishedAtMs}`;
  const found = kept.get(name) ?? new Map();
  kept.set(name, found);
  const unknown = contacts.filter((contact) => !found.has(contact));
  if (unknown.length > 0) {
    for (const [contact, positions] of await find(context, version, unknown)) found.set(contact, positions);
  }
  return contacts.flatMap((contact) => found.get(contact) ?? []);
}

/** A margin around the time of publishing, for clocks that differ and removal requests that took long to commit. */
const MARGIN_MS = 3_600_000;

/** Contacts blanked since the version was published, and some that it may have been built without. */
async function blankedSince(
  { db }: Pick<Context, "db">,
  { publishedAtMs }: PublishedVersion,
): Promise<string[]> {
  const { rows } = await sql.blankedSince.run(db.pool, { since: new Date(publishedAtMs - MARGIN_MS) });
  return rows.map(({ value }) => value);
}

// Looking for text is cheap, parsing JSON is not: only rows that hold the text somewhere are parsed. On the bulk pool,
// as going through a large version may take longer than a request's statement may.
async function find(
  { db }: Pick<Context, "db">,
  version: PublishedVersion,
  contacts: readonly string[],
): Promise<Found> {
  const shown = columnNames(version.feed, isContact).map((name) => `json::json ->> '${name}'`);
  const { rows } = await fromVersion(version, () =>
    db.bulkPool.query<{ contact: string; pos: number }>(
      `SELECT contact, pos
       FROM ${versionTable(version.id)}
       JOIN unnest($1::text[]) AS contact ON strpos(json, contact) > 0
       WHERE contact IN (${shown.join(", ")})`,
      [contacts],
    ),
  );
  return new Map(
    contacts.map((contact) => [contact, rows.filter((row) => row.contact === contact).map(({ pos }) => pos)]),
  );
}
