import DataLoader from "dataloader";
import type { Context } from "../platform/context.ts";
import type { Database } from "../platform/db.ts";
import { ProblemError } from "../platform/problem.ts";
import { type Feed, type FeedCode, feedOf } from "./catalogue.ts";
import { preloadColumns } from "./column-arrays.ts";
import { type FeedVersion, VersionGoneError } from "./feed-version.ts";
import { perDatabase } from "./per-database.ts";

/** How long a replaced version can still be asked for by number; the importer removes it an hour later. */
const READABLE_AFTER_REPLACED_MS = 24 * 3_600_000;

interface VersionRow {
  feed_code: string;
  id: number;
  as_of: string;
  row_count: number;
  published_at: Date;
}

/**
 * The version of the feed that is served now, null while there is none. Read for every request, so that a publish
 * shows at once; requests of one tick share the statement.
 */
export const currentVersion = (context: Context, feed: Feed): Promise<FeedVersion | null> =>
  loaderOf(context.db).load(feed.code);

const VERSION_COLUMNS = "feed_version.feed_code, id, as_of, row_count, published_at";

const loaderOf = perDatabase((db) => {
  const preloaded = new Set<number>();
  return new DataLoader<FeedCode, FeedVersion | null>(
    async (codes) => {
      const { rows } = await db.pool.query<VersionRow>(
        `SELECT ${VERSION_COLUMNS} FROM feed_current JOIN feed_version ON id = version_id`,
      );
      const versions = rows.map(versionOf);
      preloadNew(db, versions, preloaded);
      return codes.map((code) => versions.find((version) => version?.feed.code === code) ?? null);
    },
    { cache: false, batchScheduleFn: (dispatch) => setImmediate(dispatch) },
  );
});

function versionOf(row: VersionRow): FeedVersion | null {
  const feed = feedOf(row.feed_code);
  if (!feed) return null;
  const { id, as_of: asOf, row_count: rowCount, published_at } = row;
  return { id, feed, asOf, rowCount, publishedAtMs: published_at.getTime() };
}

function preloadNew(db: Database, versions: readonly (FeedVersion | null)[], preloaded: Set<number>): void {
  const isNew = (version: FeedVersion | null) => version !== null && !preloaded.has(version.id);
  const fresh = versions.filter(isNew) as FeedVersion[];
  if (fresh.length === 0) return;
  preloaded.clear();
  for (const version of versions) if (version) preloaded.add(version.id);
  // A failure is that of whoever needs the column next; here nobody waits for it.
  void (async () => {
    for (const version of fresh) await preloadColumns({ db }, version);
  })().catch(() => {});
}

/** The version of that number, if it is the feed's and still to be had; ProblemError invalid_filter otherwise. */
async function askedVersion(context: Context, feed: Feed, id: number): Promise<FeedVersion> {
  const { rows } = await context.db.pool.query<VersionRow>(
    `SELECT ${VERSION_COLUMNS} FROM feed_version
     WHERE id = $1 AND feed_code = $2 AND (replaced_at IS NULL OR replaced_at >= $3)`,
    [id, feed.code, new Date(context.clock.now().getTime() - READABLE_AFTER_REPLACED_MS)],
  );
  const version = rows[0] && versionOf(rows[0]);
  if (!version) throw notReadable(feed, id);
  return version;
}

const notReadable = (feed: Feed, id: number): ProblemError =>
  new ProblemError(
    "invalid_filter",
    `version ${id} is not to be had: allowed are the current version of ${feed.code} and those replaced less than ` +
      "24 hours ago. Leave version out to read the current one.",
  );

/**
 * Runs `read` on the version asked for by number, or the current one. ProblemError feed_not_live where the feed has
 * none, invalid_filter where the number is not to be had.
 */
export async function onVersion<T>(
  context: Context,
  feed: Feed,
  askedId: number | undefined,
  read: (version: FeedVersion) => Promise<T>,
): Promise<T> {
  const current = await currentVersion(context, feed);
  if (!current) throw new ProblemError("feed_not_live", `${feed.code} is not live yet.`);
  if (askedId === undefined) return onCurrent(context, feed, current, read);
  try {
    return await read(askedId === current.id ? current : await askedVersion(context, feed, askedId));
  } catch (error) {
    if (error instanceof VersionGoneError) throw notReadable(feed, askedId);
    throw error;
  }
}

// An import may replace and remove a version between the pointer and the rows: then the new one is to be read.
async function onCurrent<T>(
  context: Context,
  feed: Feed,
  current: FeedVersion,
  read: (version: FeedVersion) => Promise<T>,
): Promise<T> {
  try {
    return await read(current);
  } catch (error) {
    const next = error instanceof VersionGoneError ? await currentVersion(context, feed) : null;
    if (!next || next.id === current.id) throw error;
    return read(next);
  }
}
