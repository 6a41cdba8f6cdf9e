import { createHash } from "node:crypto";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { dynamic, type Queryable } from "../../platform/database/statement.ts";
import { createByteCache } from "../versions/byte-cache.ts";
import { fromVersion, keyOf, type PublishedVersion } from "../versions/feed-version.ts";
import { versionTable } from "../versions/version-table.ts";
import { rowsOfBlankedContacts } from "./blanked-rows.ts";
import * as sql from "./statements.ts";

/** Rows of a version that were removed since. A version is never rewritten, so readers leave these rows out. */
export interface Removals {
  /** The same in every process for the same removed rows of a version; empty if no row is removed. */
  key: string;
  /** Ascending. */
  positions: Int32Array;
}

export const NO_REMOVALS: Removals = { key: "", positions: new Int32Array(0) };

const NOTHING_REMOVED = Promise.resolve(NO_REMOVALS);

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
  if (version.builtListState === listState) return NOTHING_REMOVED;
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

async function readRemovals(context: Pick<Context, "db">, version: PublishedVersion): Promise<Removals> {
  const [businesses, contacts] = await Promise.all([
    rowsOfRemovedBusinesses(context, version),
    rowsOfBlankedContacts(context, version),
  ]);
  const positions = Int32Array.from(new Set([...businesses, ...contacts])).sort();
  if (positions.length === 0) return NO_REMOVALS;
  const key = createHash("sha256").update(positions).digest("base64url").slice(0, 16);
  return { key, positions };
}

async function rowsOfRemovedBusinesses(
  { db }: Pick<Context, "db">,
  version: PublishedVersion,
): Promise<number[]> {
  const { rows } = await fromVersion(version, () =>
    dynamic(
      db.pool,
      `SELECT pos FROM ${versionTable(version.id)} JOIN removal_list_business USING (usdot)`,
      [],
      { rowMode: "array" },
    ),
  );
  return (rows as [pos: number][]).map(([pos]) => pos);
}
