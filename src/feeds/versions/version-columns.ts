import { LRUCache } from "lru-cache";
import type { Context } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { columnNames } from "../catalogue.ts";
import { fromVersion, type PublishedVersion } from "./feed-version.ts";
import { versionTable } from "./version-table.ts";

/**
 * The columns of a version, which another release of the program may have published. Its rows show the columns that they
 * were published with; those that the feed has got since stand behind them and are null.
 */
export interface VersionColumns {
  /** In the order of JSON members and CSV cells. */
  names: readonly string[];
  /** Those of them that its rows lack. */
  missing: readonly string[];
}

const VERSIONS_KEPT = 64;
const columnsByVersion = perDatabase(() => new LRUCache<string, VersionColumns>({ max: VERSIONS_KEPT }));

/** The columns of a version; its first row names them. VersionGoneError. */
export async function versionColumns(
  context: Pick<Context, "db">,
  version: PublishedVersion,
): Promise<VersionColumns> {
  const cache = columnsByVersion(context.db);
  const key = `${version.id} ${version.publishedAtMs}`;
  const known = cache.get(key);
  if (known) return known;
  const today = columnNames(version.feed);
  const published = (await publishedNames(context, version)) ?? today;
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
    db.pool.query<{ json: string }>(`SELECT json FROM ${versionTable(version.id)} ORDER BY pos LIMIT 1`),
  );
  return rows[0] ? Object.keys(JSON.parse(rows[0].json) as object) : null;
}

/** A record of the version, as JSON, with all its columns. */
export function completeRecord({ missing }: VersionColumns, json: string): string {
  if (missing.length === 0) return json;
  return `${json.slice(0, -1)}${missing.map((name) => `,${JSON.stringify(name)}:null`).join("")}}`;
}
