import { LRUCache } from "lru-cache";
import { HOUR_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { dynamic } from "../../platform/database/statement.ts";
import { columnNames, isContact } from "../catalogue.ts";
import { fromVersion, keyOf, type PublishedVersion } from "../versions/feed-version.ts";
import { versionTable } from "../versions/version-table.ts";

/** The positions of each searched contact in a version. */
type Found = Map<string, readonly number[]>;

const VERSIONS_CACHED = 64;
const foundOf = perDatabase(() => new LRUCache<string, Found>({ max: VERSIONS_CACHED }));

/** Positions of rows with each of the contacts, and maybe with others. A contact is searched once per version. */
export async function rowsByContact(
  context: Pick<Context, "db">,
  version: PublishedVersion,
  contacts: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const cache = foundOf(context.db);
  const name = keyOf(version);
  const found = cache.get(name) ?? new Map();
  cache.set(name, found);
  const unknown = contacts.filter((contact) => !found.has(contact));
  if (unknown.length > 0) {
    for (const [contact, positions] of await find(context, version, unknown)) found.set(contact, positions);
  }
  return found;
}

/** Subtracted from a version's time of publication: clocks differ, and what changes the removal list may commit late. */
export const LIST_MARGIN_MS = HOUR_MS;

// Searching text is cheap and parsing JSON is not, so only rows that contain the text are parsed. The bulk pool allows
// the statement more time than a request has: a large version needs it.
async function find(
  { db }: Pick<Context, "db">,
  version: PublishedVersion,
  contacts: readonly string[],
): Promise<Found> {
  const shown = columnNames(version.feed, isContact).map((name) => `json::json ->> '${name}'`);
  const { rows } = await fromVersion(version, () =>
    dynamic(
      db.bulkPool,
      `SELECT contact, pos
       FROM ${versionTable(version.id)}
       JOIN unnest($1::text[]) AS contact ON strpos(json, contact) > 0
       WHERE contact IN (${shown.join(", ")})`,
      [contacts],
    ),
  );
  const matches = rows as { contact: string; pos: number }[];
  return new Map(
    contacts.map((contact) => [
      contact,
      matches.filter((row) => row.contact === contact).map(({ pos }) => pos),
    ]),
  );
}
