import type pg from "pg";
import { clearEvents } from "../events/detect/detect.ts";
import * as sql from "../generated/sql/importer/checks.ts";
import { markDemo } from "../platform/installation/installation.ts";
import { traced } from "../platform/tracing/tracing.ts";
import { clearRegistry } from "../registry/authorities/update-registry.ts";
import { loadShippedAgents } from "../registry/contacts/agent-contacts.ts";
import { type Dataset, isDifferenceOf } from "../registry/datasets.ts";
import { countColumnChanges, hasKey } from "../registry/merge/column-changes.ts";
import { type Changes, mergeDataset, openTouchedDockets, type StagedRows } from "../registry/merge/merge.ts";
import {
  readSourceDays,
  readSourceRows,
  recordDifference,
  recordSource,
  registryDay,
} from "../registry/sources.ts";
import type { ChangesByDataset, DatasetChanges } from "./checks/check-columns.ts";
import { halfOldComplaints, type NewRows } from "./checks/check-half-old.ts";
import { censusLossComplaints } from "./checks/check-lost-rows.ts";
import { type Accepted, refuseUnless } from "./checks/complaint.ts";
import { type AddedRows, addedRowsOf, keepFormerRows } from "./checks/former-rows.ts";
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
  /** The number of the import; null for a preview. */
  run: number | null;
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
  const added = new Map<Dataset, AddedRows>();
  for (const dataset of staged.profiles.keys()) {
    onProgress({ phase: "merge", table: dataset });
    const merged = staged.unchanged.has(dataset)
      ? UNCHANGED
      : await traced(`import merge ${dataset}`, () => mergeDataset(client, stagedRows(staged, dataset)));
    result.changes[dataset] = merged;
    if (hasChanged(merged)) {
      const rows = rowsBefore.get(dataset) ?? 0;
      await compareRows(client, work, dataset, { result, added, merged, rows });
    }
    await recordFile(client, work, dataset, { merged, now });
  }
  const halfOld = staged.hasHistoryMoved ? [] : await halfOldComplaints(client, added, before.asOf);
  refuseUnless(work.accept, halfOld);
  return result;
}

/** Counts for later checks what a merge changed in a dataset that had so many rows before. */
async function compareRows(
  client: pg.PoolClient,
  { run, staged }: FilesToMerge,
  dataset: Dataset,
  {
    result,
    added,
    merged,
    rows,
  }: { result: MergedFiles; added: Map<Dataset, AddedRows>; merged: Changes; rows: number },
): Promise<void> {
  if (!result.before.datasets.has(dataset)) return;
  const ofDataset = stagedRows(staged, dataset);
  const gone = merged.updated + merged.deleted;
  const found = isDifferenceOf(staged, dataset) ? null : await addedRowsOf(client, ofDataset);
  if (found) {
    result.newRows[dataset] = found.newRows;
    added.set(dataset, found);
  }
  if (hasKey(dataset)) {
    const newRows = found?.newRows ?? null;
    result.columnChanges[dataset] = await changesOf(client, ofDataset, { merged, rows, newRows });
  }
  await keepFormerRows(client, ofDataset, { run, rows, gone });
}

/** What a merge changed in a dataset with a key. `newRows`: null for a daily difference. */
async function changesOf(
  client: pg.PoolClient,
  staged: StagedRows,
  { merged, rows, newRows }: { merged: Changes; rows: number; newRows: readonly number[] | null },
): Promise<DatasetChanges> {
  const hasReplaced = merged.updated + merged.deleted > 0;
  const { replaced, changed } = hasReplaced
    ? await countColumnChanges(client, staged)
    : { replaced: 0, changed: {} };
  if (newRows === null) return { rows, changed };
  // The census is updated in place, so none of its inserted rows replaces one.
  const withNewKey = merged.inserted - (staged.dataset === "census" ? 0 : replaced);
  // Rows that only come back are not new.
  const neverHad = newRows.reduce((sum, count) => sum + count, 0);
  return { rows, changed, added: Math.min(withNewKey, neverHad) };
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
  if (isDifferenceOf(staged, dataset)) {
    const changedOn = hasChanged(merged) ? source.today : null;
    await recordDifference(client, { ...source, today: changedOn, unknownValues });
  } else await recordSource(client, { ...source, rows, newestRowOn, profile });
}

async function clearDemo(client: pg.ClientBase): Promise<void> {
  await clearRegistry(client);
  await clearEvents(client);
  await sql.forgetAllFormerRows(client);
  await markDemo(client, null);
}
