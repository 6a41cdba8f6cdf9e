import { createHash } from "node:crypto";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { dynamic, type Queryable } from "../../platform/database/statement.ts";
import { createByteCache } from "../versions/byte-cache.ts";
import { fromVersion, keyOf, type PublishedVersion } from "../versions/feed-version.ts";
import { versionTable } from "../versions/version-table.ts";
import { LIST_MARGIN_MS, rowsByContact } from "./blanked-rows.ts";
import * as sql from "./statements.ts";

/** Rows of a version that were removed since. A version is never rewritten, so readers leave these rows out. */
export interface Removals {
  /** The same in every process for the same removed rows of a version; empty if none was ever removed. */
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
  const { rows } = await sql.listState.run(client);
  if (rows[0] === undefined) throw new Error("The database has no row in removal_list_state");
  return rows[0].listState;
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
