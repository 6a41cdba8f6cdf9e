import { LRUCache } from "lru-cache";
import type { Context } from "../../platform/context.ts";
import type { Database } from "../../platform/database/db.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import type { Pools, Standby } from "../../platform/database/standby.ts";
import { keyOf, type PublishedVersion } from "./feed-version.ts";
import * as sql from "./statements.ts";

/**
 * Reads rows of versions: from the standby when it answers and has all of them, otherwise from the primary. `read` may
 * run twice. It may read only what a publication wrote and nobody changes. Which version is current, what is removed and
 * what is charged must come from the primary, because a standby lags.
 */
export async function readRows<T>(
  { db }: Pick<Context, "db">,
  versions: readonly PublishedVersion[],
  read: (pools: Pools, isStandby: boolean) => Promise<T>,
): Promise<T> {
  const { standby } = db;
  if (standby === null) return read(db, false);
  if (!standby.isUp()) standby.countRead("down");
  else if (!(await hasAll(db, standby, versions))) standby.countRead("lagging");
  else {
    try {
      const rows = await read(standby, true);
      standby.countRead("read");
      return rows;
    } catch (error) {
      // The primary knows whether the version is gone, so every error is asked again there.
      standby.countRead("failed");
      standby.noteFailure(error);
    }
  }
  return read(db, false);
}

async function hasAll(
  db: Database,
  standby: Standby,
  versions: readonly PublishedVersion[],
): Promise<boolean> {
  const found = await Promise.all(versions.map((version) => has(db, standby, version)));
  return found.every(Boolean);
}

const VERSIONS_CACHED = 64;
const FOUND_FOR_MS = 60_000;
/** A standby that lags gets the version soon. */
const MISSING_FOR_MS = 1_000;

const found = perDatabase(
  () => new LRUCache<string, Promise<boolean>>({ max: VERSIONS_CACHED, ttl: FOUND_FOR_MS }),
);

function has(db: Database, standby: Standby, version: PublishedVersion): Promise<boolean> {
  const cache = found(db);
  const key = keyOf(version);
  const known = cache.get(key);
  if (known) return known;
  const asked: Promise<boolean> = askFor(standby, version).then((isThere) => {
    if (!isThere) cache.set(key, asked, { ttl: MISSING_FOR_MS });
    return isThere;
  });
  cache.set(key, asked);
  return asked;
}

// The time of publication too: a standby of before a restored backup may have another version with the number.
async function askFor(standby: Standby, { id, publishedAtMs }: PublishedVersion): Promise<boolean> {
  try {
    const { rows } = await sql.versionsById.prepared(standby.pool, { ids: [id] });
    return rows[0]?.published_at.getTime() === publishedAtMs;
  } catch (error) {
    standby.noteFailure(error);
    return false;
  }
}
