import type pg from "pg";
import type { EventType } from "../events/event-types.ts";
import type { PublishedFeed } from "../feeds/publish/publish.ts";
import type { SourceWarning } from "../feeds/sources-list.ts";
import type { Context } from "../platform/context.ts";
import { OperatorError } from "../platform/operator-error.ts";
import type { Contradictions } from "../registry/authorities/contradictions.ts";
import type { RecordedChanges } from "../registry/changes/record-changes.ts";
import type { Changes } from "../registry/merge.ts";
import type { ResolvedRemovals } from "../suppression/resolve.ts";
import { removedAmong } from "../suppression/status.ts";
import type { StagedSet } from "./stage.ts";
import * as sql from "./statements.ts";

/** The result of an import. It is stored in the database, printed, and shown by `tdf status`. */
export interface ImportReport {
  /** Null for a preview. */
  run: number | null;
  /** The day of the demo registry that was imported; null for real files. */
  demoDay: string | null;
  folder: string;
  asOf: string;
  files: StagedSet["files"];
  skipped: StagedSet["skipped"];
  /** How many rows were inserted, updated and deleted, by registry table. */
  changes: Record<string, Changes>;
  /** Missing and old files; absent in reports of older programs. */
  sources?: SourceWarning[];
  sharedContacts: number;
  pendingRevocations: number;
  /** The recorded changes of carriers, by category; absent in reports of older programs. */
  recordedChanges?: RecordedChanges;
  feeds: PublishedFeed[];
  /** New events, by type. */
  events: Partial<Record<EventType, number>>;
  /** How many earlier events the registry corrected. Older reports have none of these three fields. */
  corrections?: number;
  contradictions?: Contradictions;
  /** How the import changed the removal list. */
  removals?: ResolvedRemovals;
  seconds: number;
}

export const RUN_STATUSES = ["running", "published", "refused", "failed"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export type ImportRun = sql.ListRunsRow;

/** Opens a run and closes runs that were ended from outside. The caller holds the publishing lock. */
export async function openRun(context: Context, client: pg.ClientBase, folder: string): Promise<number> {
  const now = context.clock.now();
  await sql.closeLostRuns.run(client, { now });
  const { rows } = await sql.openRun.run(client, { folder, startedAt: now });
  return rows[0]?.id ?? 0;
}

/** Closes a run that published, in its transaction. */
export async function closePublished(
  context: Context,
  client: pg.ClientBase,
  report: ImportReport & { run: number },
): Promise<void> {
  await sql.closePublished.run(client, {
    id: report.run,
    finishedAt: context.clock.now(),
    asOf: report.asOf,
    report: JSON.stringify(report),
  });
}

/** Closes a run that changed nothing, with the reason as a sentence. */
export async function closeUnpublished(
  context: Context,
  client: pg.ClientBase,
  run: { id: number; status: "refused" | "failed"; refusal: string },
): Promise<void> {
  await sql.closeUnpublished.run(client, { ...run, finishedAt: context.clock.now() });
}

/** The reports of the imports on these feed versions, in the order of the catalogue. */
export async function listPublications(
  context: Context,
  versions: readonly number[],
): Promise<PublishedFeed[]> {
  const { rows } = await sql.listPublications.run(context.db.pool, { versions });
  return rows.map(({ published }) => published);
}

/** The newest runs, newest first. */
export async function listRuns(context: Context, limit: number): Promise<ImportRun[]> {
  const { rows } = await sql.listRuns.run(context.db.pool, { limit });
  return rows;
}

/** One run. Its examples leave out businesses that were removed since. OperatorError if there is no such run. */
export async function readRun(context: Context, id: number): Promise<ImportRun> {
  const { rows } = await sql.readRun.run(context.db.pool, { id });
  const run = rows[0];
  if (!run) throw new OperatorError(`There is no import ${id}; \`tdf import list\` shows all imports.`);
  const counted = (run.report?.feeds ?? []).flatMap(({ changes }) =>
    changes ? [changes.added, ...Object.values(changes.removed), ...Object.values(changes.changed)] : [],
  );
  const named = counted.flatMap(({ examples }) => examples.map(({ usdot }) => usdot));
  const removed = await removedAmong(context, named);
  for (const kind of counted) kind.examples = kind.examples.filter(({ usdot }) => !removed.has(usdot));
  return run;
}
