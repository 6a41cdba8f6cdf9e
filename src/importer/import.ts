// The importer makes a new version of every feed from a folder of registry files, or refuses it and changes nothing.
// Owns import_run and the staging tables. It changes registry tables and feeds through their own modules.
import path from "node:path";
import type pg from "pg";
import { clearEvents, detectEvents, writeEvents } from "../events/detect/detect.ts";
import {
  dropExpiredVersions,
  expireReplacedVersions,
  publishFeeds,
  withdrawFeeds,
} from "../feeds/publish/publish.ts";
import { tryLockPublishing, unlockPublishing } from "../feeds/publish/publish-lock.ts";
import { sourceWarnings } from "../feeds/sources-list.ts";
import { dayOf } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import { begin, commit, rollBack } from "../platform/database/transaction.ts";
import { demoFirstDayIn, markDemo } from "../platform/installation/installation.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { traced } from "../platform/tracing/tracing.ts";
import { countContradictions } from "../registry/authorities/contradictions.ts";
import { recordChanges } from "../registry/changes/record-changes.ts";
import { findAgentContacts, loadShippedAgents } from "../registry/contacts/agent-contacts.ts";
import { findSharedContacts } from "../registry/contacts/shared-contacts.ts";
import { type Dataset, isDifferenceOf } from "../registry/datasets.ts";
import {
  type Changes,
  closeKeptRows,
  mergeDataset,
  openKeptRows,
  openTouchedDockets,
} from "../registry/merge.ts";
import { STATE_CODES } from "../registry/places/state-codes.ts";
import {
  readSourceDays,
  recordDifference,
  recordNewestRows,
  recordSource,
  registryDay,
} from "../registry/sources.ts";
import { clearRegistry, updateRegistry } from "../registry/update-registry.ts";
import { resolveRemovals } from "../suppression/resolve.ts";
import { checkStaged, refuseUnless } from "./checks/check.ts";
import { censusLossComplaints } from "./checks/check-lost-rows.ts";
import { outputComplaints } from "./checks/check-output.ts";
import { STAGED_COLUMNS } from "./layouts/layouts.ts";
import { closePublished, closeUnpublished, type ImportReport, openRun } from "./runs.ts";
import { emptyStaging, type StagedSet, stageFolder } from "./stage.ts";
import * as sql from "./statements.ts";

/** The current step of an import, for a progress line. */
export type ImportProgress =
  | { step: "read"; file: string; readBytes: number; sizeBytes: number; rows: number }
  | { step: "merge"; table: string }
  | { step: "build"; feed: string }
  | { step: "detect" };

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
  /** Rolls the import back at the end. The report says what it would do. */
  isPreview?: boolean;
  onProgress?: (progress: ImportProgress) => void;
}

/**
 * Imports a folder: check, stage, merge, build, publish. Merging and publishing are one transaction. An import that
 * fails or is killed does not change the served feeds, and the next import repeats its work.
 */
export async function importFolder(context: Context, options: ImportOptions): Promise<ImportReport> {
  const client = await context.db.bulkPool.connect();
  try {
    if (!(await tryLockPublishing(client)))
      throw new OperatorError("Another import is running; wait until it is done.");
    try {
      return await traced("import", () =>
        options.isPreview
          ? runImport(context, client, null, options)
          : recordedImport(context, client, options),
      );
    } finally {
      await emptyStaging(client);
      await closeKeptRows(client);
      await unlockPublishing(client);
    }
  } finally {
    client.release();
  }
}

/** Records the import as a run, whatever its outcome. */
async function recordedImport(
  context: Context,
  client: pg.PoolClient,
  options: ImportOptions,
): Promise<ImportReport> {
  const run = await openRun(context, client, path.resolve(options.dir));
  try {
    return await runImport(context, client, run, options);
  } catch (error) {
    const isRefusal = error instanceof OperatorError;
    const refusal = isRefusal ? error.message : "The import failed; the log tells why.";
    await closeUnpublished(context, client, { id: run, status: isRefusal ? "refused" : "failed", refusal });
    throw error;
  }
}

/**
 * Rolls back the transaction. It also resets the sequence of version numbers, which a rollback does not; the publishing
 * lock keeps others from taking numbers meanwhile.
 */
async function undoImport(client: pg.ClientBase, versionNumber: sql.SetVersionNumberParams): Promise<void> {
  await rollBack(client);
  await sql.setVersionNumber.run(client, versionNumber);
}

async function lastVersionNumber(client: pg.ClientBase): Promise<sql.SetVersionNumberParams> {
  const { rows } = await sql.lastVersionNumber.run(client);
  return rows[0] ?? { value: 1, isCalled: false };
}

async function runImport(
  context: Context,
  client: pg.PoolClient,
  run: number | null,
  options: ImportOptions,
): Promise<ImportReport> {
  const { onProgress = () => {} } = options;
  const startedAt = context.clock.now();
  const startsAnew = await requireOwnRegistry(client, options);
  const today = options.asOf ?? dayOf(startedAt);
  const staged = await traced("import read", () =>
    stageFolder(context, {
      dir: options.dir,
      today,
      isDifference: options.isDifference ?? false,
      // The demo is replaced as a whole, so every file is read.
      skipsUnchanged: !startsAnew,
      onProgress: (progress) => onProgress({ step: "read", ...progress }),
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
  const versionNumber = await lastVersionNumber(client);
  await openKeptRows(client);
  await begin(client);
  try {
    await sql.setMergeMemory.run(client);
    const report = await mergeAndPublish(context, client, {
      run,
      staged,
      today,
      startedAt,
      startsAnew,
      options,
      onProgress,
    });
    if (options.isPreview) {
      await undoImport(client, versionNumber);
    } else {
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

interface Work {
  /** Null for a preview. */
  run: number | null;
  staged: StagedSet;
  today: string;
  startedAt: Date;
  startsAnew: boolean;
  options: ImportOptions;
  onProgress: (progress: ImportProgress) => void;
}

async function mergeAndPublish(context: Context, client: pg.PoolClient, work: Work): Promise<ImportReport> {
  const { staged, today, startedAt, onProgress } = work;
  const now = context.clock.now();
  const changes: Record<string, Changes> = {};
  const changed = new Set<Dataset>();
  if (work.startsAnew) await clearDemo(client);
  if (work.options.demoFirstDay) await markDemo(client, work.options.demoFirstDay);
  await openTouchedDockets(client);
  await loadShippedAgents(client);
  const before = await knownSources(client);
  for (const [dataset, profile] of staged.profiles) {
    onProgress({ step: "merge", table: dataset });
    const merged = await traced(`import merge ${dataset}`, () =>
      mergeDataset(client, dataset, STAGED_COLUMNS[dataset], staged),
    );
    changes[dataset] = merged;
    if (hasChanged(merged)) changed.add(dataset);
    const { rows, newestRowOn } = profile;
    if (dataset === "census") {
      const before = rows - merged.inserted + merged.deleted;
      refuseUnless(work.options.accept, censusLossComplaints({ lost: merged.deleted, before }));
    }
    if (isDifferenceOf(staged, dataset)) {
      await recordDifference(client, {
        dataset,
        importedAt: now,
        today,
        unknownValues: profile.unknownValues ?? {},
      });
    } else await recordSource(client, { dataset, rows, newestRowOn, profile, importedAt: now, today });
  }
  const sourceDays = await recordNewestRows(client, today);
  const asOf = registryDay(sourceDays) ?? today;
  onProgress({ step: "merge", table: "authority" });
  const { authorities, haveRulesChanged, pendingRevocations } = await traced("import merge authority", () =>
    updateRegistry(client, {
      asOf,
      previousAsOf: before.asOf,
      changed,
      hadEndedPolicies: before.endedPolicies,
    }),
  );
  changes.authority = authorities;
  const recordedChanges = await traced("import record changes", () =>
    recordChanges(client, {
      asOf,
      now,
      run: work.run,
      imported: new Set(staged.profiles.keys()),
      changed,
      known: before.datasets,
      haveRulesChanged,
    }),
  );
  const contradictions = await countContradictions(client, asOf);
  const sharedContacts = await findSharedContacts(client, context.config.sharedContactLimit);
  await findAgentContacts(client);
  await sql.endMergeCosts.run(client);
  const feeds = await traced("import build", () =>
    publishFeeds(client, {
      sourceDays,
      now,
      startsAnew: work.startsAnew,
      sharedContactLimit: context.config.sharedContactLimit,
      hasRegistryChanged: Object.values(changes).some(hasChanged),
      onFeed: (feed) => onProgress({ step: "build", feed }),
    }),
  );
  onProgress({ step: "detect" });
  const events = await traced("import detect", () =>
    detectEvents(client, { asOf, now, states: STATE_CODES, previous: before }),
  );
  if (work.startsAnew) {
    const published = feeds.map(({ feed }) => feed);
    await withdrawFeeds(client, published, now);
    await expireReplacedVersions(client);
  }
  refuseUnless(
    work.options.accept,
    await outputComplaints(client, {
      feeds,
      contradictions,
      events: events.byType,
      asOf,
      before: before.asOf,
    }),
  );
  // A rollback does not reset the sequence of event ids.
  if (work.run !== null) await writeEvents(client, { asOf, now });
  // This comes last because removal requests wait from here to the commit.
  const removals = await resolveRemovals(client, now);
  const report: ImportReport = {
    run: work.run,
    demoDay: work.options.demoFirstDay ? today : null,
    folder: path.resolve(work.options.dir),
    asOf,
    files: staged.files,
    skipped: staged.skipped,
    changes,
    sources: await sourceWarnings(client, today),
    sharedContacts,
    pendingRevocations,
    recordedChanges,
    feeds,
    events: events.byType,
    corrections: events.corrected,
    contradictions,
    removals,
    seconds: Math.round((context.clock.now().getTime() - startedAt.getTime()) / 100) / 10,
  };
  if (report.run !== null) await closePublished(context, client, { ...report, run: report.run });
  return report;
}

/** Whether this import replaces the demo. OperatorError if it would mix files with the demo's. */
async function requireOwnRegistry(client: pg.ClientBase, options: ImportOptions): Promise<boolean> {
  const isDemo = (await demoFirstDayIn(client)) !== null;
  if (!isDemo || options.demoFirstDay) return false;
  if (options.replaceDemo) return true;
  throw new OperatorError(
    "This database holds the demo registry; add --replace-demo to clear its registry, feeds, events and their deliveries first.",
  );
}

async function clearDemo(client: pg.ClientBase): Promise<void> {
  await clearRegistry(client);
  await clearEvents(client);
  await markDemo(client, null);
}

const hasChanged = ({ inserted, updated, deleted }: Changes): boolean => inserted + updated + deleted > 0;

/** The previous as-of day, and which datasets were imported by then. A first import of a dataset makes no events. */
async function knownSources(client: pg.ClientBase) {
  const days = await readSourceDays(client);
  return {
    asOf: registryDay(days),
    datasets: new Set(days.keys()),
    history: days.has("motus_authhist"),
    endedPolicies: days.has("motus_inshist"),
    notices: days.has("motus_revokesuspend"),
    statuses: days.has("motus_carrier"),
  };
}
