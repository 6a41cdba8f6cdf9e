import { LRUCache } from "lru-cache";
import type { Caller } from "../../accounts/keys/caller.ts";
import { HOUR_MS } from "../../platform/clock.ts";
import type { Context, Database } from "../../platform/context.ts";
import { perDatabase } from "../../platform/database/per-database.ts";
import { tickLoader } from "../../platform/database/tick-loader.ts";
import { ProblemError } from "../../platform/http/problem.ts";
import type { Feed, FeedCode } from "../catalogue.ts";
import { indexBusinesses } from "./business-index.ts";
import { preloadColumns } from "./column-arrays.ts";
import { type FeedVersion, VersionGoneError } from "./feed-version.ts";
import {
  type FoundVersion,
  findCurrentVersions,
  findVersions,
  type NumberedVersion,
  openVersion,
  versionsIn,
} from "./find-versions.ts";
import { repackVersion, UnpackedColumnError } from "./packing.ts";

/** How long readers may ask for a replaced version by its number. */
export const READABLE_AFTER_REPLACED_HOURS = 24;

/**
 * The version of the feed that is served now, null while there is none. Every request reads it, so that a publication or
 * a removal takes effect at once: by the statement that admitted it, or by one that requests of one tick share.
 */
export async function currentVersion(
  context: Context,
  feed: Feed,
  caller?: Pick<Caller, "snapshot">,
): Promise<FeedVersion | null> {
  if (context.situation === "feeds_not_live") return null;
  const served = caller?.snapshot?.served;
  try {
    if (served === undefined) return await newestVersion(context, feed);
    return (await servedVersions(context.db)(served)(feed)) ?? null;
  } catch (error) {
    // An import replaced and dropped the version before its removed rows were read.
    if (error instanceof VersionGoneError) return newestVersion(context, feed);
    throw error;
  }
}

async function newestVersion(context: Context, feed: Feed): Promise<FeedVersion | null> {
  const found = await loaderOf(context.db).load(feed.code);
  return found && openVersion(context, found);
}

const loaderOf = perDatabase((db) =>
  tickLoader<FeedCode, FoundVersion | null>(async (codes) => {
    const versions = await findCurrentVersions(db);
    preloadNew(db, versions);
    return codes.map((code) => versions.find((version) => version.feed.code === code) ?? null);
  }),
);

const SNAPSHOTS_CACHED = 4;

type ServedVersions = (feed: Feed) => Promise<FeedVersion> | undefined;

/** The versions of a snapshot, each opened once. */
const servedVersions = perDatabase((db) => {
  const cache = new LRUCache<string, ServedVersions>({ max: SNAPSHOTS_CACHED });
  return (served: string): ServedVersions => {
    const existing = cache.get(served);
    if (existing) return existing;
    const versions = versionsIn(served);
    preloadNew(db, versions);
    const found = new Map(versions.map((version) => [version.feed, version]));
    const opened = new Map<Feed, Promise<FeedVersion>>();
    const openOnce: ServedVersions = (feed) => {
      const version = found.get(feed);
      const known = opened.get(feed);
      if (known || version === undefined) return known;
      const opening = openVersion({ db }, version).then((open) => ({ ...open, isOfSnapshot: true }));
      opened.set(feed, opening);
      // The next request tries again.
      opening.catch(() => opened.delete(feed));
      return opening;
    };
    cache.set(served, openOnce);
    return openOnce;
  };
});

const preloadedOf = perDatabase(() => new Set<number>());

function preloadNew(db: Database, versions: readonly FoundVersion[]): void {
  const preloaded = preloadedOf(db);
  const fresh = versions.filter(({ id }) => !preloaded.has(id));
  if (fresh.length === 0) return;
  preloaded.clear();
  for (const { id } of versions) preloaded.add(id);
  // Not awaited. After a failure the next request that needs the column loads it again.
  void (async () => {
    for (const version of fresh) await openVersion({ db }, version);
    for (const version of fresh) {
      await preloadColumns({ db }, version);
      await indexBusinesses({ db }, version);
    }
  })().catch(() => {});
}

/** The problem of a request for a version that can't be read. */
type NotReadable = "invalid_filter" | "version_expired" | "cursor_expired" | "export_changed";

const INSTEAD: Readonly<Record<NotReadable, string>> = {
  invalid_filter: "Leave out version to read the current one.",
  export_changed: "Fetch the current one from its first byte, without version and If-Match.",
  version_expired: "Leave out to_version to reach the current one.",
  cursor_expired: "Leave out cursor, and send since_version again: the version of your copy.",
};

/** The version with that id if it is the feed's and may still be read; a ProblemError otherwise. */
async function askedVersion(
  context: Context,
  feed: Feed,
  id: number,
  problem: NotReadable,
): Promise<FeedVersion> {
  const replacedSince = context.clock.now().getTime() - READABLE_AFTER_REPLACED_HOURS * HOUR_MS;
  const found = await numberedLoaderOf(context.db).load(id);
  if (found?.version.feed.code !== feed.code || (found.replacedAtMs ?? replacedSince) < replacedSince) {
    throw notReadable(feed, id, problem);
  }
  return openVersion(context, found.version);
}

const numberedLoaderOf = perDatabase((db) =>
  tickLoader<number, NumberedVersion | null>(async (ids) => {
    const found = await findVersions(db, ids);
    return ids.map((id) => found.get(id) ?? null);
  }),
);

const notReadable = (feed: Feed, id: number, problem: NotReadable): ProblemError =>
  new ProblemError(
    problem,
    `version ${id} does not exist or no longer exists. You can read the current version of ${feed.code} and those ` +
      `replaced less than ${READABLE_AFTER_REPLACED_HOURS} hours ago. ${INSTEAD[problem]}`,
  );

/**
 * Runs `read` on the version `askedId`, or on the current one. ProblemError feed_not_live when the feed has none,
 * `problem` when `askedId` may not be read, unavailable while a filter of the version is packed again. The current one is
 * that of the caller's snapshot, if it has one.
 */
export function onVersion<T>(
  context: Context,
  feed: Feed,
  askedId: number | undefined,
  read: (version: FeedVersion) => Promise<T>,
  {
    caller,
    problem = "invalid_filter",
  }: { caller?: Pick<Caller, "snapshot"> | undefined; problem?: NotReadable } = {},
): Promise<T> {
  const current = () => currentVersion(context, feed, caller);
  return readVersion(context, feed, { askedId, current, problem }, (version) =>
    read(version).catch((error: unknown) => {
      if (!(error instanceof UnpackedColumnError)) throw error;
      if (version.columns.missing.includes(error.column)) throw notFilterable(version, askedId, error.column);
      repackVersion(context, version);
      throw new ProblemError("unavailable", "A filter of this feed is being prepared. Try again shortly.");
    }),
  );
}

function notFilterable(version: FeedVersion, askedId: number | undefined, column: string): ProblemError {
  const lack = `Version ${version.id} of ${version.feed.code} was published before the feed had the column ${column}.`;
  return askedId === undefined
    ? new ProblemError("unavailable", `${lack} Filters of this column work from the next version on.`)
    : new ProblemError(
        "invalid_filter",
        `${lack} Leave out its filters, or leave out version to read the current one.`,
      );
}

async function readVersion<T>(
  context: Context,
  feed: Feed,
  {
    askedId,
    current: find,
    problem,
  }: { askedId: number | undefined; current: () => Promise<FeedVersion | null>; problem: NotReadable },
  read: (version: FeedVersion) => Promise<T>,
): Promise<T> {
  const current = await find();
  if (!current) throw new ProblemError("feed_not_live", `${feed.code} is not live yet.`);
  if (askedId === undefined) return onCurrent(context, feed, current, read);
  try {
    return await read(askedId === current.id ? current : await askedVersion(context, feed, askedId, problem));
  } catch (error) {
    if (error instanceof VersionGoneError) throw notReadable(feed, askedId, problem);
    throw error;
  }
}

// An import may replace and drop the version before its rows are read. Then the new one is read.
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
