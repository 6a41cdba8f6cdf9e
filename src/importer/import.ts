// The importer makes a new version of every feed from a folder of registry files, or refuses it and changes nothing.
// Owns import_run and the staging tables. It changes registry tables and feeds through their own modules.
import path from "node:path";
import type pg from "pg";
import { dropExpiredVersions } from "../feeds/publish/old-versions.ts";
import { tryLockPublishing, unlockPublishing } from "../feeds/publish/publish-lock.ts";
import * as sql from "../generated/sql/importer.ts";
import { dayOf } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import {
  DatabaseUnavailableError,
  hasNoRight,
  toDatabaseError,
} from "../platform/database/database-error.ts";
import { begin, commit, rollBack } from "../platform/database/transaction.ts";
import { demoFirstDayIn } from "../platform/installation/installation.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { traced } from "../platform/tracing/tracing.ts";
import { closeKeptRows, openKeptRows } from "../registry/merge/merge.ts";
import { checkStaged } from "./checks/check.ts";
import type { Accepted } from "./checks/complaint.ts";
import { mergeAndPublish, type PublishProgress } from "./merge-and-publish.ts";
import { requireFolder } from "./read/folder.ts";
import { Refusal } from "./read/refusal.ts";
import { requireNoHeldFeeds } from "./roll-back.ts";
import { closeUnpublished, type ImportReport, keepPreview, openRun } from "./runs.ts";
import { emptyStaging, stageFolder } from "./stage/stage.ts";

/** The current phase of an import, for a progress line. */
export type ImportProgress =
  | { phase: "read"; file: string; readBytes: number; sizeBytes: number; rows: number }
  | { phase: "preview" }
  | PublishProgress;

export interface ImportOptions {
  dir: string;
  /** The day the files are read for: rows dated later do not count. Null means the clock's day. */
  asOf: string | null;
  /** Names of checks that the operator overrides, as printed with a refusal. */
  accept: ReadonlySet<string>;
  /** The folder's Motus files are daily differences: they never delete rows merely missing from them. */
  isDifference?: boolean;
  /** Imports real files into a database that holds the demo. Its registry, feeds and events are deleted. */
  replaceDemo?: boolean;
  /** The files are a day of the demo registry, which began on this day. */
  demoFirstDay?: string;
  /** Ends the rollbacks of feeds, which hold until then. */
  isRelease?: boolean;
  /** Rolls the import back at the end. The report says what it would do. */
  isPreview?: boolean;
  /** Records with a refused import what it would have changed. Finding that takes about as long as the import. */
  previewsRefused?: boolean;
  onProgress?: (progress: ImportProgress) => void;
}

/**
 * Imports a folder: stage, check, merge, build, publish. Merging and publishing are one transaction. An import that
 * fails or is killed does not change the served feeds, and the next import repeats its work.
 */
export async function importFolder(context: Context, options: ImportOptions): Promise<ImportReport> {
  const client = await context.db.bulkPool.connect();
  try {
    if (!(await tryLockPublishing(client)))
      throw new OperatorError("Another import is running; wait until it is done.", { solution: "later" });
    try {
      return await traced("import", () =>
        options.isPreview
          ? previewImport(context, client, options)
          : recordedImport(context, client, options),
      );
    } finally {
      await clearWork(client).finally(() => unlockPublishing(client));
    }
  } finally {
    client.release();
  }
}

async function clearWork(client: pg.PoolClient): Promise<void> {
  await emptyStaging(client);
  await closeKeptRows(client);
}

/**
 * Runs the import and rolls it back. Checks that fail are reported beside the changes; a refusal is only thrown when the
 * changes can't be told, as with a broken file.
 */
async function previewImport(
  context: Context,
  client: pg.PoolClient,
  options: ImportOptions,
  sentence: "message" | "kept" = "message",
): Promise<ImportReport> {
  const refusals: Refusal[] = [];
  const accept: Accepted = {
    has: (name) => options.accept.has(name),
    onRefusal: (refusal) => void refusals.push(refusal),
  };
  try {
    const report = await runImport(context, client, null, { ...options, accept });
    return { ...report, refusals: refusals.map((refusal) => refusal[sentence]) };
  } catch (error) {
    if (toDatabaseError(error) instanceof DatabaseUnavailableError) throw error;
    throw refusals[0] ?? error;
  }
}

/** Records the import as a run, whatever its outcome. A wrong call is no import. */
async function recordedImport(
  context: Context,
  client: pg.PoolClient,
  options: ImportOptions,
): Promise<ImportReport> {
  await requireFolder(options.dir);
  await requireOwnRegistry(client, options);
  const run = await openRun(context, client, path.resolve(options.dir));
  try {
    return await runImport(context, client, run, options);
  } catch (error) {
    const isRefusal = error instanceof Refusal;
    const why = reasonOf(error);
    const status = isRefusal ? "refused" : "failed";
    const refusedChecks = isRefusal ? error.checkNames : [];
    // On another connection, since the import's own may be what failed.
    await closeUnpublished(context, { id: run, status, refusal: why, refusedChecks }).catch((failure) => {
      context.log.debug(
        { err: failure, run },
        "The end of an import could not be recorded. The next one does.",
      );
    });
    if (isRefusal && options.previewsRefused) await recordPreview(context, client, run, options);
    throw error;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof OperatorError) return error.kept;
  if (hasNoRight(error)) return "The role lacks a right: an import needs the owner of the tables.";
  const known = toDatabaseError(error);
  return known instanceof DatabaseUnavailableError
    ? known.message
    : "The import failed; what its command printed tells why.";
}

/** Records what a refused import would have changed. A broken file tells nothing, and then nothing is recorded. */
async function recordPreview(
  context: Context,
  client: pg.PoolClient,
  run: number,
  { onProgress, ...options }: ImportOptions,
): Promise<void> {
  try {
    onProgress?.({ phase: "preview" });
    const preview = await previewImport(context, client, { ...options, isPreview: true }, "kept");
    await keepPreview(context, run, preview);
  } catch (err) {
    if (!(err instanceof Refusal)) context.log.warn({ err, run }, "A refused import could not be previewed.");
  }
}

/**
 * Rolls back the transaction. It also resets the sequence of version numbers, which a rollback does not; the publishing
 * lock keeps others from taking numbers meanwhile.
 */
async function undoImport(client: pg.ClientBase, versionNumber: sql.SetVersionNumberParams): Promise<void> {
  await rollBack(client);
  await sql.setVersionNumber(client, versionNumber);
}

async function runImport(
  context: Context,
  client: pg.PoolClient,
  run: number | null,
  options: Omit<ImportOptions, "accept"> & { accept: Accepted },
): Promise<ImportReport> {
  const { onProgress = () => {} } = options;
  const startedAt = context.clock.now();
  const startsAnew = await requireOwnRegistry(client, options);
  if (!options.isRelease && !options.isPreview && !startsAnew) await requireNoHeldFeeds(client);
  const today = options.asOf ?? dayOf(startedAt);
  const staged = await traced("import read", () =>
    stageFolder(context, {
      dir: options.dir,
      today,
      isDifference: options.isDifference ?? false,
      // The demo is replaced as a whole, so every file is read.
      skipsUnchanged: !startsAnew,
      onProgress: (progress) => onProgress({ phase: "read", ...progress }),
    }),
  );
  await traced("import check", () =>
    checkStaged(context, staged, {
      today,
      isTodayGiven: options.asOf !== null,
      startsAnew,
      accept: options.accept,
    }),
  );
  const versionNumber = await sql.lastVersionNumber(client);
  await openKeptRows(client);
  await begin(client);
  try {
    await sql.setMergeMemory(client);
    const report = await mergeAndPublish(context, client, {
      run,
      dir: options.dir,
      staged,
      today,
      startedAt,
      startsAnew,
      demoFirstDay: options.demoFirstDay,
      accept: options.accept,
      onProgress,
    });
    if (options.isPreview) {
      await undoImport(client, versionNumber);
    } else {
      await sql.emptyTemporary(client);
      await commit(client);
      await removeExpiredVersions(context);
    }
    return report;
  } catch (error) {
    await undoImport(client, versionNumber);
    throw error;
  }
}

/** Failures are only logged, since the import is published. The next import removes the versions that are left. */
async function removeExpiredVersions({ db, clock, log }: Context): Promise<void> {
  try {
    // One transaction: rows of a version that is no longer recorded would never be removed.
    await db.bulkTransaction((sweeper) => dropExpiredVersions(sweeper, clock.now()));
  } catch (err) {
    log.warn({ err }, "Expired feed versions could not be removed; the next import tries again.");
  }
}

/** Whether this import replaces the demo. OperatorError if it would mix files with the demo's. */
async function requireOwnRegistry(
  client: pg.ClientBase,
  options: Pick<ImportOptions, "demoFirstDay" | "replaceDemo">,
): Promise<boolean> {
  const isDemo = (await demoFirstDayIn(client)) !== null;
  if (!isDemo || options.demoFirstDay) return false;
  if (options.replaceDemo) return true;
  throw new OperatorError(
    "This database holds the demo registry; add --replace-demo to clear its registry, feeds and events first.",
  );
}
