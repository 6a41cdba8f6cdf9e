import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import * as sql from "../../generated/sql/feeds/versions.ts";
import { HOUR_MS } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { dynamic, type Queryable } from "../../platform/database/statement.ts";
import { columnNames, isContact } from "../catalogue.ts";
import { createByteCache } from "./byte-cache.ts";
import { fromVersion, keyOf, type PublishedVersion, versionTable } from "./feed-version.ts";

/** Rows of a version that were removed since. A version is never rewritten, so readers leave these rows out. */
export interface Removals {
  /**
   * The same in every process for the same removed rows of a version and the same last change that hid or showed one of
   * them; empty if none was ever removed.
   */
  key: string;
  /** The number of the last change of the removal list that hid or showed one of its rows, or with which it was built. */
  number: number;
  /** Ascending. */
  positions: Int32Array;
}

export const NO_REMOVALS: Removals = { key: "", number: 0, positions: new Int32Array(0) };

const CACHE_BYTES = 8 * 1024 * 1024;
const cacheOf = perDatabase(() =>
  createByteCache<Removals>(CACHE_BYTES, ({ positions }) => positions.byteLength),
);

/**
 * The removed rows of the version in the state `listState` of the removal list, read once per version and state. Read
 * `listState` before calling; rows may be newer than it, never older.
 */
export function removalsOf(
  context: Pick<Context, "db">,
  version: PublishedVersion,
  listState: string,
): Promise<Removals> {
  if (version.builtListState === listState) return Promise.resolve(nothingRemoved(version));
  const key = `${keyOf(version)} ${listState}`;
  return cacheOf(context.db).get(key, () => readRemovals(context, version));
}

/** The rows of the version that are removed now, for readers that run for a long time. */
export async function latestRemovals(
  context: Pick<Context, "db">,
  version: PublishedVersion,
): Promise<Removals> {
  return removalsOf(context, version, await removalListState(context.db.pool));
}

/** Identifies the state that the removal list has now. */
export async function removalListState(client: Queryable): Promise<string> {
  const row = await sql.listState(client);
  if (row === undefined) throw new Error("The database has no row in removal_list_state");
  return row.listState;
}

const nothingRemoved = (version: PublishedVersion): Removals => ({
  ...NO_REMOVALS,
  number: listNumber(version.builtListState),
});

/** The number of a state of the removal list; 0 for an unknown state. */
export const listNumber = (listState: string | null): number => Number(listState?.split(".")[0] ?? 0);

/** What changed on the removal list since a version was built, in one snapshot. */
interface ListSince {
  positions: number[];
  /** Null: no business of the version was removed or shown again. */
  number: number | null;
  /** Contacts that were blanked or shown again. */
  contacts: { value: string; number: number; is_blanked: boolean }[];
}

async function readRemovals(context: Pick<Context, "db">, version: PublishedVersion): Promise<Removals> {
  const { positions: businesses, number, contacts } = await readList(context, version);
  const values = contacts.map(({ value }) => value);
  const rowsOf = await rowsByContact(context, version, values);
  const found = contacts.filter(({ value }) => (rowsOf.get(value) ?? []).length > 0);
  const blanked = found
    .filter(({ is_blanked }) => is_blanked)
    .flatMap(({ value }) => rowsOf.get(value) ?? []);
  const nothing = nothingRemoved(version);
  const latest = Math.max(nothing.number, number ?? 0, ...found.map((contact) => contact.number));
  const positions = Int32Array.from(new Set([...businesses, ...blanked])).sort();
  if (positions.length === 0 && latest === nothing.number) return nothing;
  const key = createHash("sha256").update(positions).update(String(latest)).digest("base64url").slice(0, 16);
  return { key, number: latest, positions };
}

async function readList({ db }: Pick<Context, "db">, version: PublishedVersion): Promise<ListSince> {
  const table = versionTable(version.id);
  const text = `
    WITH removed AS (SELECT pos, list.number FROM ${table} JOIN removal_list_business AS list USING (usdot)),
    shown AS (SELECT usdot, contact, number FROM removal_list_shown_again WHERE number > $1)
    SELECT
      (SELECT coalesce(json_agg(pos), '[]') FROM removed) AS positions,
      greatest((SELECT max(number) FROM removed), (SELECT max(number) FROM ${table} JOIN shown USING (usdot)))::float8
        AS number,
      (SELECT coalesce(json_agg(contact), '[]') FROM (
        SELECT value, number, true AS is_blanked FROM removal_list_contact WHERE removed_at > $2
        UNION ALL SELECT contact, number, false FROM shown WHERE contact IS NOT NULL) AS contact) AS contacts`;
  const since = new Date(version.publishedAtMs - LIST_MARGIN_MS);
  const { rows } = await fromVersion(version, () =>
    dynamic(db.pool, text, [listNumber(version.builtListState), since]),
  );
  return rows[0] as unknown as ListSince;
}

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
