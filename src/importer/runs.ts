import type pg from "pg";
import type { EventType } from "../events/event-types.ts";
import type { PublishedFeed } from "../feeds/publish/publish.ts";
import type { Context } from "../platform/context.ts";
import { OperatorError } from "../platform/operator-error.ts";
import type { Contradictions } from "../registry/authorities/contradictions.ts";
import type { Changes } from "../registry/merge.ts";
import type { ResolvedRemovals } from "../suppression/resolve.ts";
import { removedAmong } from "../suppression/status.ts";
import type { StagedSet } from "./stage.ts";

/** The report of an import: stored in the database, printed, and shown by `tdf status`. */
export interface ImportReport {
  /** Null for a dry run. */
  run: number | null;
  /** The day of the demo registry that was imported; null for real files. */
  demoDay: string | null;
  folder: string;
  asOf: string;
  files: StagedSet["files"];
  skipped: StagedSet["skipped"];
  /** Rows inserted, updated and deleted, by registry table. */
  changes: Record<string, Changes>;
  sharedContacts: number;
  pendingRevocations: number;
  feeds: PublishedFeed[];
  /** New events, by type. */
  events: Partial<Record<EventType, number>>;
  /** Earlier events that the registry corrected. Older reports lack this and the next field. */
  corrections?: number;
  /** How many authorities are in both Motus Carrier and AuthHist, and for how many of these the files disagree. */
  contradictions?: Contradictions;
  /** Changes of the removal list because of the registry; absent in older reports. */
  removals?: ResolvedRemovals;
  seconds: number;
}

export const RUN_STATUSES = ["running", "published", "refused", "failed"] as const;
type RunStatus = (typeof RUN_STATUSES)[number];

export interface ImportRun {
  id: number;
  status: RunStatus;
  asOf: string | null;
  folder: string;
  startedAt: Date;
  finishedAt: Date | null;
  refusal: string | null;
  report: ImportReport | null;
}

/** Opens a run. The caller holds the lock, so no other import runs: one still marked as running was killed. */
export async function openRun(context: Context, client: pg.ClientBase, folder: string): Promise<number> {
  const now = context.clock.now();
  await client.query(
    `UPDATE import_run SET status = 'failed', finished_at = $1, refusal = 'The import was ended before it was done.'
     WHERE status = 'running'`,
    [now],
  );
  const { rows } = await client.query<{ id: number }>(
    "INSERT INTO import_run (status, folder, started_at) VALUES ('running', $1, $2) RETURNING id",
    [folder, now],
  );
  return rows[0]?.id ?? 0;
}

/** Closes a run that published, in the same transaction. */
export async function closePublished(
  context: Context,
  client: pg.ClientBase,
  report: ImportReport & { run: number },
): Promise<void> {
  await client.query(
    "UPDATE import_run SET status = 'published', finished_at = $2, as_of = $3, report = $4 WHERE id = $1",
    [report.run, context.clock.now(), report.asOf, JSON.stringify(report)],
  );
}

/** Closes a run that changed nothing, with the reason. */
export async function closeUnpublished(
  context: Context,
  client: pg.ClientBase,
  run: { id: number; status: "refused" | "failed"; refusal: string },
): Promise<void> {
  await client.query("UPDATE import_run SET status = $2, finished_at = $3, refusal = $4 WHERE id = $1", [
    run.id,
    run.status,
    context.clock.now(),
    run.refusal,
  ]);
}

/** The reports on these versions by the imports that published them, in the order of the catalogue. */
export async function listPublications(
  context: Context,
  versions: readonly number[],
): Promise<PublishedFeed[]> {
  // Reports of older releases do not count rows by source.
  const { rows } = await context.db.pool.query<{ published: PublishedFeed }>(
    `SELECT published FROM import_run
     CROSS JOIN LATERAL jsonb_array_elements(report->'feeds') WITH ORDINALITY AS feeds (published, place)
     WHERE status = 'published' AND (published->>'isNew')::boolean
       AND (published->>'version')::integer = ANY ($1) AND published->'rowsBySource' IS NOT NULL
     ORDER BY place`,
    [versions],
  );
  return rows.map(({ published }) => published);
}

const RUN = `id, status, as_of AS "asOf", folder, started_at AS "startedAt", finished_at AS "finishedAt", refusal, report`;

/** The newest runs, newest first. */
export async function listRuns(context: Context, limit: number): Promise<ImportRun[]> {
  const { rows } = await context.db.pool.query<ImportRun>(
    `SELECT ${RUN} FROM import_run ORDER BY id DESC LIMIT $1`,
    [limit],
  );
  return rows;
}

/** One run; its examples leave out businesses removed since. OperatorError when there is no such run. */
export async function readRun(context: Context, id: number): Promise<ImportRun> {
  const { rows } = await context.db.pool.query<ImportRun>(`SELECT ${RUN} FROM import_run WHERE id = $1`, [
    id,
  ]);
  const run = rows[0];
  if (!run) throw new OperatorError(`There is no import ${id}; \`tdf import list\` shows those there are.`);
  const counted = (run.report?.feeds ?? []).flatMap(({ changes }) =>
    changes ? [changes.added, ...Object.values(changes.removed), ...Object.values(changes.changed)] : [],
  );
  const named = counted.flatMap(({ examples }) => examples.map(({ usdot }) => usdot));
  const removed = await removedAmong(context, named);
  for (const kind of counted) kind.examples = kind.examples.filter(({ usdot }) => !removed.has(usdot));
  return run;
}
