import type pg from "pg";
import type { EventType } from "../events/event-types.ts";
import type { PublishedFeed } from "../feeds/publish/publish.ts";
import { tryLockPublishingShortly } from "../feeds/publish/publish-lock.ts";
import type { SourceWarning } from "../feeds/sources-list.ts";
import type { ImportRun as StoredRun } from "../generated/prisma/client.ts";
import * as sql from "../generated/sql/importer.ts";
import { dayOf } from "../platform/clock.ts";
import type { Context } from "../platform/context.ts";
import type { Queryable } from "../platform/database/statement.ts";
import { OperatorError } from "../platform/operator-error.ts";
import type { Contradictions } from "../registry/authorities/motus-history.ts";
import type { RecordedChanges } from "../registry/changes/record-changes.ts";
import type { Changes } from "../registry/merge/merge.ts";
import type { ResolvedRemovals } from "../suppression/matching.ts";
import { removedAmong } from "../suppression/status.ts";
import type { ChangesByDataset } from "./checks/check-columns.ts";
import type { NewRows } from "./checks/check-half-old.ts";
import type { Rebased } from "./rebase.ts";
import type { StagedSet } from "./stage/staged-set.ts";

/** The result of an import. It is stored in the database, printed, and shown by `tdf status`. */
export interface ImportReport {
  /** Null for a preview. */
  run: number | null;
  /** The day of the demo registry that was imported; null for real files. */
  demoDay: string | null;
  folder: string;
  asOf: string;
  /** The Motus files were daily differences; absent in reports of older programs. */
  isDifference?: boolean;
  files: StagedSet["files"];
  skipped: StagedSet["skipped"];
  /** How many rows were inserted, updated and deleted, by registry table. */
  changes: Record<string, Changes>;
  /** Where in the whole files the new rows were; absent in reports of older programs. */
  newRows?: NewRows;
  /** Missing and old files; absent in reports of older programs. */
  sources?: SourceWarning[];
  sharedContacts: number;
  pendingRevocations: number;
  /** The recorded changes of carriers, by category; absent in reports of older programs. */
  recordedChanges?: RecordedChanges;
  /** How many stored rows got another value, by dataset and column; absent in reports of older programs. */
  columnChanges?: ChangesByDataset;
  /** What other rules of the program made of the registry before; absent when the rules were the same. */
  rebased?: Rebased;
  feeds: PublishedFeed[];
  /** New events, by type. */
  events: Partial<Record<EventType, number>>;
  /** How many earlier events the registry corrected. Older reports have none of these three fields. */
  corrections?: number;
  contradictions?: Contradictions;
  /** How the import changed the removal list. */
  removals?: ResolvedRemovals;
  /** Why an import would be refused, a sentence each. A preview alone has them. */
  refusals?: string[];
  seconds: number;
}

export const RUN_STATUSES = ["running", "published", "refused", "failed"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** An import, as it is stored. */
export interface ImportRun {
  id: number;
  status: RunStatus;
  asOf: string | null;
  folder: string;
  startedAt: Date;
  finishedAt: Date | null;
  refusal: string | null;
  /** The checks that refused it, as `--accept` takes them; none when a file is broken. */
  refusedChecks: string[];
  report: ImportReport | null;
  /** What a refused import would have changed, if that could be told. */
  preview: ImportReport | null;
}

/** Opens a run and closes runs that were ended from outside. The caller holds the publishing lock. */
export async function openRun(context: Context, client: pg.ClientBase, folder: string): Promise<number> {
  const now = context.clock.now();
  await sql.closeLostRuns(client, { now });
  return (await sql.openRun(client, { folder, startedAt: now })).id;
}

/** Closes a run that published, in its transaction. */
export async function closePublished(
  context: Context,
  client: pg.ClientBase,
  report: ImportReport & { run: number },
): Promise<void> {
  await sql.closePublished(client, {
    id: report.run,
    finishedAt: context.clock.now(),
    asOf: report.asOf,
    report: JSON.stringify(report),
  });
}

/**
 * Closes a run that changed nothing, with the reason as a sentence. A run stays published if only the answer to its commit was
 * lost.
 */
export async function closeUnpublished(
  { db, clock }: Context,
  {
    id,
    ...end
  }: { id: number; status: "refused" | "failed"; refusal: string; refusedChecks: readonly string[] },
): Promise<void> {
  const refusedChecks = [...end.refusedChecks];
  await db.prisma.importRun.updateMany({
    where: { id, status: "running" },
    data: { ...end, refusedChecks, finishedAt: clock.now() },
  });
}

/** Records what a refused import would have changed. */
export async function keepPreview({ db }: Context, id: number, preview: ImportReport): Promise<void> {
  const asJson = JSON.parse(JSON.stringify(preview));
  await db.prisma.importRun.update({ where: { id }, data: { preview: asJson } });
}

/** Whether a registry was published in a database, which may be of an older release. */
export async function hasPublished(client: Queryable): Promise<boolean> {
  const row = await sql.hasPublished(client);
  return row.hasPublished;
}

/** The end of the newest run of each outcome; a running one has no end. */
export type NewestRun = sql.NewestRunsRow;

/** The newest run of one status. */
export const newestOf = (runs: readonly NewestRun[], status: RunStatus): NewestRun | null =>
  runs.find((run) => run.status === status) ?? null;

/** The newest refused run, if none was published since. */
export function refusedSincePublished(runs: readonly NewestRun[]): NewestRun | null {
  const refused = newestOf(runs, "refused");
  return refused !== null && refused.id > (newestOf(runs, "published")?.id ?? 0) ? refused : null;
}

/** The newest run of each status. Closes runs that were ended from outside. */
export async function newestRuns({ db, clock }: Pick<Context, "db" | "clock">): Promise<NewestRun[]> {
  const runs = await sql.newestRuns(db.pool);
  if (newestOf(runs, "running") === null) return runs;
  const isAlive = await db.transaction(async (client) => {
    if (!(await tryLockPublishingShortly(client))) return true;
    await sql.closeLostRuns(client, { now: clock.now() });
    return false;
  });
  return isAlive ? runs : sql.newestRuns(db.pool);
}

/** The reports of the imports on these feed versions, in the order of the catalogue. */
export async function listPublications(
  context: Context,
  versions: readonly number[],
): Promise<PublishedFeed[]> {
  const rows = await sql.listPublications(context.db.pool, { versions });
  return rows.map(({ published }) => published);
}

/** The newest runs, newest first, without examples of businesses that were removed since. */
export async function listRuns(context: Context, limit: number): Promise<ImportRun[]> {
  // It closes those that were ended from outside.
  await newestRuns(context);
  const stored = await context.db.prisma.importRun.findMany({ orderBy: { id: "desc" }, take: limit });
  return withoutRemoved(context, stored);
}

async function withoutRemoved(context: Context, stored: readonly StoredRun[]): Promise<ImportRun[]> {
  // Its status and its reports are of this file's types, since this file wrote them.
  const runs = stored.map((run) => ({
    ...(run as unknown as ImportRun),
    asOf: run.asOf && dayOf(run.asOf),
  }));
  const reports = runs.flatMap(({ report, preview }) => [report, preview].filter((one) => one !== null));
  const counted = reports
    .flatMap(({ feeds }) => feeds)
    .flatMap(({ changes }) =>
      changes ? [changes.added, ...Object.values(changes.removed), ...Object.values(changes.changed)] : [],
    );
  const named = counted.flatMap(({ examples }) => examples.map(({ usdot }) => usdot));
  const removed = await removedAmong(context, named);
  for (const kind of counted) kind.examples = kind.examples.filter(({ usdot }) => !removed.has(usdot));
  return runs;
}

/** One run. OperatorError if there is no such run. */
export async function readRun(context: Context, id: number): Promise<ImportRun> {
  const run = await findRun(context, id);
  if (!run) throw new OperatorError(`There is no import ${id}; \`tdf import list\` shows all imports.`);
  return run;
}

/** One run, or null, without examples of businesses that were removed since. */
export async function findRun(context: Context, id: number): Promise<ImportRun | null> {
  // It closes those that were ended from outside.
  await newestRuns(context);
  const stored = await context.db.prisma.importRun.findUnique({ where: { id } });
  const [run = null] = await withoutRemoved(context, stored ? [stored] : []);
  return run;
}
