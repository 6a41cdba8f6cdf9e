import type pg from "pg";
import { clearEvents } from "../events/detect/detect.ts";
import { markDemo } from "../platform/installation/installation.ts";
import { traced } from "../platform/tracing/tracing.ts";
import { clearRegistry } from "../registry/authorities/update-registry.ts";
import { loadShippedAgents } from "../registry/contacts/agent-contacts.ts";
import { type Dataset, isDifferenceOf } from "../registry/datasets.ts";
import { countColumnChanges } from "../registry/merge/column-changes.ts";
import { type Changes, mergeDataset, openTouchedDockets } from "../registry/merge/merge.ts";
import {
  readSourceDays,
  readSourceRows,
  recordDifference,
  recordSource,
  registryDay,
} from "../registry/sources.ts";
import type { ChangesByDataset } from "./checks/check-columns.ts";
import { halfOldComplaints, type NewRows, newRowsOf } from "./checks/check-half-old.ts";
import { censusLossComplaints } from "./checks/check-lost-rows.ts";
import { type Accepted, refuseUnless } from "./checks/complaint.ts";
import { latestDay, type StagedSet, stagedRows } from "./stage/staged-set.ts";

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
    companies: days.has("census"),
  };
}

/** What merging the files did. */
export interface MergedFiles {
  before: KnownSources;
  /** By registry table. */
  changes: Record<string, Changes>;
  columnChanges: ChangesByDataset;
  newRows: NewRows;
}

export const UNCHANGED: Changes = { inserted: 0, updated: 0, deleted: 0 };

export const hasChanged = ({ inserted, updated, deleted }: Changes): boolean =>
  inserted + updated + deleted > 0;

/** Files to merge. */
interface FilesToMerge {
  staged: StagedSet;
  /** The day the files are read for. */
  today: string;
  startsAnew: boolean;
  demoFirstDay?: string | undefined;
  accept: Accepted;
  onProgress: (progress: { phase: "merge"; table: string }) => void;
}

/** Merges each dataset's staged rows into its table, and records the file as its last good import. */
export async function mergeFiles(client: pg.PoolClient, work: FilesToMerge, now: Date): Promise<MergedFiles> {
  const { staged, onProgress } = work;
  if (work.startsAnew) await clearDemo(client);
  if (work.demoFirstDay) await markDemo(client, work.demoFirstDay);
  await openTouchedDockets(client);
  await loadShippedAgents(client);
  const before = await knownSources(client);
  const rowsBefore = await readSourceRows(client);
  const result: MergedFiles = { before, changes: {}, columnChanges: {}, newRows: {} };
  for (const dataset of staged.profiles.keys()) {
    onProgress({ phase: "merge", table: dataset });
    const merged = staged.unchanged.has(dataset)
      ? UNCHANGED
      : await traced(`import merge ${dataset}`, () => mergeDataset(client, stagedRows(staged, dataset)));
    result.changes[dataset] = merged;
    if (hasChanged(merged)) {
      await compareRows(client, staged, dataset, { result, merged, rows: rowsBefore.get(dataset) ?? 0 });
    }
    await recordFile(client, work, dataset, { merged, now });
  }
  const halfOld = staged.hasHistoryMoved ? [] : await halfOldComplaints(client, result.newRows, before.asOf);
  refuseUnless(work.accept, halfOld);
  return result;
}

/** Counts for later checks what a merge changed in a dataset that had so many rows before. */
async function compareRows(
  client: pg.PoolClient,
  staged: StagedSet,
  dataset: Dataset,
  { result, merged, rows }: { result: MergedFiles; merged: Changes; rows: number },
): Promise<void> {
  if (merged.updated + merged.deleted > 0) {
    result.columnChanges[dataset] = {
      rows,
      changed: await countColumnChanges(client, stagedRows(staged, dataset)),
    };
  }
  if (!result.before.datasets.has(dataset) || isDifferenceOf(staged, dataset)) return;
  const added = await newRowsOf(client, dataset);
  if (added) result.newRows[dataset] = added;
}

async function recordFile(
  client: pg.PoolClient,
  { staged, today, accept }: FilesToMerge,
  dataset: Dataset,
  { merged, now }: { merged: Changes; now: Date },
): Promise<void> {
  const profile = staged.profiles.get(dataset);
  if (!profile) return;
  const { rows, newestRowOn, unknownValues = {} } = profile;
  if (dataset === "census") {
    const before = rows - merged.inserted + merged.deleted;
    refuseUnless(accept, censusLossComplaints({ lost: merged.deleted, before }));
  }
  const source = { dataset, importedAt: now, today: latestDay(staged, dataset, today) };
  if (isDifferenceOf(staged, dataset)) await recordDifference(client, { ...source, unknownValues });
  else await recordSource(client, { ...source, rows, newestRowOn, profile });
}

async function clearDemo(client: pg.ClientBase): Promise<void> {
  await clearRegistry(client);
  await clearEvents(client);
  await markDemo(client, null);
}
