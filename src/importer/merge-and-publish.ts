import path from "node:path";
import type pg from "pg";
import { clearEvents, detectEvents, writeEvents } from "../events/detect/detect.ts";
import { expireReplacedVersions, publishFeeds, withdrawFeeds } from "../feeds/publish/publish.ts";
import { sourceWarnings } from "../feeds/sources-list.ts";
import { servedFeeds } from "../feeds/versions/feeds-list.ts";
import * as sql from "../generated/sql/importer.ts";
import type { Context } from "../platform/context.ts";
import { markDemo } from "../platform/installation/installation.ts";
import { traced } from "../platform/tracing/tracing.ts";
import { countContradictions } from "../registry/authorities/motus-history.ts";
import { clearRegistry, updateRegistry } from "../registry/authorities/update-registry.ts";
import { recordChanges } from "../registry/changes/record-changes.ts";
import { findAgentContacts, loadShippedAgents } from "../registry/contacts/agent-contacts.ts";
import { findSharedContacts } from "../registry/contacts/shared-contacts.ts";
import { type Dataset, isDifferenceOf } from "../registry/datasets.ts";
import { type Changes, mergeDataset, openTouchedDockets } from "../registry/merge/merge.ts";
import { STATE_CODES } from "../registry/places/state-codes.ts";
import {
  readSourceDays,
  recordDifference,
  recordNewestRows,
  recordSource,
  registryDay,
} from "../registry/sources.ts";
import { resolveRemovals } from "../suppression/matching.ts";
import { halfOldComplaints, type NewRows, newRowsOf } from "./checks/check-half-old.ts";
import { followsFromMove } from "./checks/check-history-moves.ts";
import { censusLossComplaints } from "./checks/check-lost-rows.ts";
import { outputComplaints } from "./checks/check-output.ts";
import { refuseUnless } from "./checks/complaint.ts";
import { closePublished, type ImportReport } from "./runs.ts";
import { latestDay, type StagedSet, stagedRows } from "./stage/staged-set.ts";

/** The current phase of an import after its files were read, for a progress line. */
export type PublishProgress =
  | { phase: "merge"; table: string }
  | { phase: "build"; feed: string }
  | { phase: "detect" };

/** An import whose files are staged and checked. */
export interface StagedImport {
  /** The number of the import; null for a preview. */
  run: number | null;
  dir: string;
  staged: StagedSet;
  /** The day the files are read for. */
  today: string;
  startedAt: Date;
  /** The import replaces the demo. */
  startsAnew: boolean;
  demoFirstDay?: string | undefined;
  /** Names of checks that the operator overrides. */
  accept: ReadonlySet<string>;
  onProgress: (progress: PublishProgress) => void;
}

/**
 * Merges the staged rows, derives the registry and its changes, publishes the feeds and writes the events. Runs in the
 * import's transaction. Refusal if the result is wrong although every file looked right.
 */
export async function mergeAndPublish(
  context: Context,
  client: pg.PoolClient,
  work: StagedImport,
): Promise<ImportReport> {
  const now = context.clock.now();
  const { before, ...merged } = await mergeFiles(client, work, now);
  const derived = await deriveRegistry(context, client, work, { before, now, ...merged });
  const published = await publish(context, client, work, { before, now, ...derived });
  // A rollback does not reset the sequence of event ids.
  if (work.run !== null) await writeEvents(client, { asOf: derived.asOf, now });
  // This comes last because removal requests wait from here to the commit.
  const removals = await resolveRemovals(client, servedFeeds, now);
  const report: ImportReport = {
    run: work.run,
    demoDay: work.demoFirstDay ? work.today : null,
    folder: path.resolve(work.dir),
    asOf: derived.asOf,
    isDifference: work.staged.isDifference,
    files: work.staged.files,
    skipped: work.staged.skipped,
    changes: derived.changes,
    newRows: derived.newRows,
    sources: await sourceWarnings(client, work.today),
    sharedContacts: derived.sharedContacts,
    pendingRevocations: derived.pendingRevocations,
    recordedChanges: derived.recordedChanges,
    feeds: published.feeds,
    events: published.events.byType,
    corrections: published.events.corrected,
    contradictions: derived.contradictions,
    removals,
    seconds: Math.round((context.clock.now().getTime() - work.startedAt.getTime()) / 100) / 10,
  };
  if (report.run !== null) await closePublished(context, client, { ...report, run: report.run });
  return report;
}

/** The previous as-of day, and which datasets were imported by then. A first import of a dataset makes no events. */
type KnownSources = Awaited<ReturnType<typeof knownSources>>;

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

/** What a phase gets from the phases before it. */
interface Merged {
  before: KnownSources;
  now: Date;
  /** By registry table. */
  changes: Record<string, Changes>;
  newRows: NewRows;
}

const UNCHANGED: Changes = { inserted: 0, updated: 0, deleted: 0 };

const hasChanged = ({ inserted, updated, deleted }: Changes): boolean => inserted + updated + deleted > 0;

/** Merges each dataset's staged rows into its table, and records the file as its last good import. */
async function mergeFiles(
  client: pg.PoolClient,
  work: StagedImport,
  now: Date,
): Promise<Omit<Merged, "now">> {
  const { staged, today, onProgress } = work;
  if (work.startsAnew) await clearDemo(client);
  if (work.demoFirstDay) await markDemo(client, work.demoFirstDay);
  await openTouchedDockets(client);
  await loadShippedAgents(client);
  const before = await knownSources(client);
  const changes: Record<string, Changes> = {};
  const newRows: NewRows = {};
  for (const [dataset, profile] of staged.profiles) {
    onProgress({ phase: "merge", table: dataset });
    const merged = staged.unchanged.has(dataset)
      ? UNCHANGED
      : await traced(`import merge ${dataset}`, () => mergeDataset(client, stagedRows(staged, dataset)));
    changes[dataset] = merged;
    if (hasChanged(merged)) await countNewRows(client, staged, { dataset, before, newRows });
    const { rows, newestRowOn, unknownValues = {} } = profile;
    if (dataset === "census") {
      const before = rows - merged.inserted + merged.deleted;
      refuseUnless(work.accept, censusLossComplaints({ lost: merged.deleted, before }));
    }
    const source = { dataset, importedAt: now, today: latestDay(staged, dataset, today) };
    if (isDifferenceOf(staged, dataset)) await recordDifference(client, { ...source, unknownValues });
    else await recordSource(client, { ...source, rows, newestRowOn, profile });
  }
  const halfOld = staged.hasHistoryMoved ? [] : await halfOldComplaints(client, newRows, before.asOf);
  refuseUnless(work.accept, halfOld);
  return { before, changes, newRows };
}

async function countNewRows(
  client: pg.ClientBase,
  staged: StagedSet,
  { dataset, before, newRows }: { dataset: Dataset; before: KnownSources; newRows: NewRows },
): Promise<void> {
  if (!before.datasets.has(dataset) || isDifferenceOf(staged, dataset)) return;
  const added = await newRowsOf(client, dataset);
  if (added) newRows[dataset] = added;
}

async function clearDemo(client: pg.ClientBase): Promise<void> {
  await clearRegistry(client);
  await clearEvents(client);
  await markDemo(client, null);
}

/** Computes from the merged files the authorities, the recorded changes and the contacts that are shared or agents'. */
async function deriveRegistry(
  { config }: Context,
  client: pg.PoolClient,
  { run, staged, today, onProgress }: StagedImport,
  { before, now, changes, newRows }: Merged,
) {
  const imported: ReadonlySet<Dataset> = new Set(staged.profiles.keys());
  const changed = new Set([...imported].filter((dataset) => hasChanged(changes[dataset] ?? UNCHANGED)));
  const sourceDays = await recordNewestRows(client, today, imported);
  const asOf = registryDay(sourceDays) ?? today;
  onProgress({ phase: "merge", table: "authority" });
  const { authorities, haveRulesChanged, pendingRevocations } = await traced("import merge authority", () =>
    updateRegistry(client, {
      asOf,
      previousAsOf: before.asOf,
      changed,
      hadEndedPolicies: before.endedPolicies,
    }),
  );
  const recordedChanges = await traced("import record changes", () =>
    recordChanges(client, { asOf, now, run, imported, changed, known: before.datasets, haveRulesChanged }),
  );
  const contradictions = await countContradictions(client, asOf);
  const sharedContacts = await findSharedContacts(client, config.sharedContactLimit);
  await findAgentContacts(client);
  return {
    asOf,
    sourceDays,
    newRows,
    changes: { ...changes, authority: authorities },
    pendingRevocations,
    recordedChanges,
    contradictions,
    sharedContacts,
  };
}

type Derived = Awaited<ReturnType<typeof deriveRegistry>>;

/** Publishes the feeds, finds the events, and checks both. */
async function publish(
  { config: { sharedContactLimit } }: Context,
  client: pg.PoolClient,
  { accept, onProgress, startsAnew, staged: { hasHistoryMoved } }: StagedImport,
  { before, now, asOf, sourceDays, changes, contradictions }: Merged & Derived,
) {
  await sql.endMergeCosts(client);
  const feeds = await traced("import build", () =>
    publishFeeds(client, {
      sourceDays,
      now,
      startsAnew,
      sharedContactLimit,
      hasRegistryChanged: Object.values(changes).some(hasChanged),
      onFeed: (feed) => onProgress({ phase: "build", feed }),
    }),
  );
  onProgress({ phase: "detect" });
  const events = await traced("import detect", () =>
    detectEvents(client, { asOf, now, states: STATE_CODES, previous: before }),
  );
  if (startsAnew) {
    const published = feeds.map(({ feed }) => feed);
    await withdrawFeeds(client, published, now);
    await expireReplacedVersions(client);
  }
  const output = { feeds, contradictions, events: events.byType, asOf, before: before.asOf };
  const complaints = await outputComplaints(client, output);
  refuseUnless(
    accept,
    complaints.filter((complaint) => !hasHistoryMoved || !followsFromMove(complaint)),
  );
  return { feeds, events };
}
