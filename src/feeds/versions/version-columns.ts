import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { dynamic } from "../../platform/database/statement.ts";
import { columnNames, type Feed } from "../catalogue.ts";
import { fromVersion, keyOf, type PublishedVersion, readRows, versionTable } from "./feed-version.ts";

/**
 * The columns of a version, which another release of the program may have published. First come the columns with which
 * its rows were published. Columns that the feed got since then follow and are null.
 */
export interface VersionColumns {
  /** In the order of JSON members and CSV cells. */
  names: readonly string[];
  /** The columns of `names` that its rows lack. */
  missing: readonly string[];
}

/** Identifies the columns that the feed's rows have in this release. */
export const hashOfColumns = (feed: Feed): string =>
  createHash("sha256").update(columnNames(feed).join()).digest("base64url").slice(0, 8);

const VERSIONS_CACHED = 64;
const columnsByVersion = perDatabase(() => new LRUCache<string, VersionColumns>({ max: VERSIONS_CACHED }));

/** The columns of a version, from its first row. VersionGoneError. */
export async function versionColumns(
  context: Pick<Context, "db">,
  version: PublishedVersion,
): Promise<VersionColumns> {
  const cache = columnsByVersion(context.db);
  const key = keyOf(version);
  const known = cache.get(key);
  if (known) return known;
  const today = columnNames(version.feed);
  const isToday = version.columnsHash === hashOfColumns(version.feed);
  const published = isToday ? today : ((await publishedNames(context, version)) ?? today);
  const missing = today.filter((name) => !published.includes(name));
  const columns = { names: [...published, ...missing], missing };
  cache.set(key, columns);
  return columns;
}

async function publishedNames(
  { db }: Pick<Context, "db">,
  version: PublishedVersion,
): Promise<readonly string[] | null> {
  const { rows } = await fromVersion(version, () =>
    readRows({ db }, [version], ({ pool }) =>
      dynamic(pool, `SELECT json FROM ${versionTable(version.id)} ORDER BY pos LIMIT 1`),
    ),
  );
  const [first] = rows as { json: string }[];
  return first ? Object.keys(JSON.parse(first.json) as object) : null;
}

/** The record with all columns of the version, as JSON. */
export function completeRecord({ missing }: VersionColumns, json: string): string {
  if (missing.length === 0) return json;
  return `${json.slice(0, -1)}${missing.map((name) => `,${JSON.stringify(name)}:null`).join("")}}`;
}

/** The same of JSON in bytes, which are not decoded when no column is missing. */
export const completeBytes = (columns: VersionColumns, json: Buffer): Buffer =>
  columns.missing.length === 0 ? json : Buffer.from(completeRecord(columns, String(json)));
