import path from "node:path";
import type pg from "pg";
import { detectEvents, writeEvents } from "../events/detect/detect.ts";
import { expireReplacedVersions, withdrawFeeds } from "../feeds/publish/old-versions.ts";
import { publishFeeds } from "../feeds/publish/publish.ts";
import { sourceWarnings } from "../feeds/sources-list.ts";
import { servedFeeds } from "../feeds/versions/feeds-list.ts";
import * as sql from "../generated/sql/importer.ts";
import type { Context } from "../platform/context.ts";
import { traced } from "../platform/tracing/tracing.ts";
import { countContradictions } from "../registry/authorities/motus-history.ts";
import { updateRegistry } from "../registry/authorities/update-registry.ts";
import { keepChangeIds, recordChanges } from "../registry/changes/record-changes.ts";
import { findAgentContacts } from "../registry/contacts/agent-contacts.ts";
import { findSharedContacts } from "../registry/contacts/shared-contacts.ts";
import type { Dataset } from "../registry/datasets.ts";
import { STATE_CODES } from "../registry/places/state-codes.ts";
import { recordNewestRows, registryDay } from "../registry/sources.ts";
import { resolveRemovals } from "../suppression/matching.ts";
import { jumpComplaints } from "./checks/check-columns.ts";
import { followsFromMove } from "./checks/check-history-moves.ts";
import { outputComplaints } from "./checks/check-output.ts";
import { type Accepted, refuseUnless } from "./checks/complaint.ts";
import { hasChanged, type MergedFiles, mergeFiles, UNCHANGED } from "./merge-files.ts";
import { rebase } from "./rebase.ts";
import { closePublished, type ImportReport } from "./runs.ts";
import type { StagedSet } from "./stage/staged-set.ts";

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
  accept: Accepted;
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
  const onFeed = (feed: string) => work.onProgress({ phase: "build", feed });
  const rebased = work.startsAnew ? null : await rebase(context, client, { now, onFeed });
  const merged = { ...(await mergeFiles(client, work, now)), now };
  const derived = await deriveRegistry(context, client, work, merged);
  const published = await publish(context, client, work, {
    ...merged,
    ...derived,
    isAfterRebase: rebased !== null,
  });
  // A rollback does not reset the sequences of the ids of events and changes.
  if (work.run !== null) {
    await writeEvents(client, { asOf: derived.asOf, now });
    await keepChangeIds(client);
  }
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
    newRows: merged.newRows,
    sources: await sourceWarnings(client, work.today),
    sharedContacts: derived.sharedContacts,
    pendingRevocations: derived.pendingRevocations,
    recordedChanges: derived.recordedChanges,
    // Other rules read other values from the same files: that is no measure of what a day changes.
    ...(rebased === null ? { columnChanges: merged.columnChanges } : { rebased }),
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

/** What a phase gets from the phases before it. */
type Merged = MergedFiles & { now: Date };

/** Computes from the merged files the authorities, the recorded changes and the contacts that are shared or agents'. */
async function deriveRegistry(
  { config }: Context,
  client: pg.PoolClient,
  { run, staged, today, onProgress }: StagedImport,
  { before, now, changes }: Merged,
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
  context: Context,
  client: pg.PoolClient,
  { accept, onProgress, staged, startsAnew }: StagedImport,
  {
    before,
    now,
    isAfterRebase,
    asOf,
    sourceDays,
    changes,
    columnChanges,
    contradictions,
  }: Merged & Derived & { isAfterRebase: boolean },
) {
  const { sharedContactLimit } = context.config;
  await sql.endMergeCosts(client);
  const feeds = await traced("import build", () =>
    publishFeeds(client, {
      sourceDays,
      now,
      startsAnew,
      sharedContactLimit,
      hasRegistryChanged: Object.values(changes).some(hasChanged),
      isAfterRebase,
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
  const jumps = { staged, changes: columnChanges, asOf, before: before.asOf };
  const complaints = [
    ...(await outputComplaints(client, output)),
    // Another program read the files before: what it left out of a row is no change of the registry.
    ...(isAfterRebase ? [] : await jumpComplaints(context, client, jumps)),
  ];
  refuseUnless(
    accept,
    complaints.filter((complaint) => !staged.hasHistoryMoved || !followsFromMove(complaint)),
  );
  return { feeds, events };
}
