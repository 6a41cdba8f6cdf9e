import { LRUCache } from "lru-cache";
import * as sql from "../../generated/sql/feeds/versions.ts";
import type { Context, Database, Pools, Standby } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import type { Feed } from "../catalogue.ts";
import type { Removals } from "./removals.ts";
import type { VersionColumns } from "./version-columns.ts";

/** A version as it was published. It never changes. */
export interface PublishedVersion {
  id: number;
  feed: Feed;
  /** The day the data is current to. */
  asOf: string;
  /** Rows of its table, removed ones too. */
  rowCount: number;
  /** Unix time in milliseconds. */
  publishedAtMs: number;
  /** The state of the removal list in which none of its rows is removed. Null: unknown. */
  builtListState: string | null;
  /** Identifies the columns of its rows, as hashOfColumns does. Null: unknown. */
  columnsHash: string | null;
}

/**
 * The key of a version in caches. The time is part of it: after a failover or a restored backup another version may get
 * the id of one that was lost.
 */
export const keyOf = ({ id, publishedAtMs }: PublishedVersion): string => `${id} ${publishedAtMs}`;

/** A version with its rows that were removed when the request began. They must not be shown. */
export interface FeedVersion extends PublishedVersion {
  removals: Removals;
  columns: VersionColumns;
  /** Whether it was found in the caller's snapshot. */
  isOfSnapshot?: boolean;
}

/** A version was dropped while it was read: it was replaced long ago, or its whole registry was replaced. */
export class VersionGoneError extends Error {
  override readonly name = "VersionGoneError";

  constructor(version: PublishedVersion) {
    super(`Version ${version.id} of ${version.feed.code} no longer exists.`);
  }
}

const UNDEFINED_TABLE = "42P01";

/** Reads from a version's table. VersionGoneError when the table does not exist. */
export async function fromVersion<T>(version: PublishedVersion, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === UNDEFINED_TABLE) {
      throw new VersionGoneError(version);
    }
    throw error;
  }
}

/** The table that holds a version's rows. SQL text gets a version's number only from here. */
export function versionTable(versionId: number): string {
  if (!Number.isSafeInteger(versionId) || versionId < 1) throw new Error(`not a version: ${versionId}`);
  return `published.feed_${versionId}`;
}

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
    const rows = await sql.versionsById(standby.pool, { ids: [id] });
    return rows[0]?.published_at.getTime() === publishedAtMs;
  } catch (error) {
    standby.noteFailure(error);
    return false;
  }
}
