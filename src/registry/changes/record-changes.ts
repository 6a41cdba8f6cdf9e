import type pg from "pg";
import * as sql from "../../generated/sql/registry/changes.ts";
import { DAY_MS, monthStartOf } from "../../platform/clock.ts";
import type { Context } from "../../platform/context.ts";
import { analyze, dynamic } from "../../platform/database/statement.ts";
import type { Dataset } from "../datasets.ts";
import { changeStatement, ROWS_KEPT } from "./change-statement.ts";
import { LINKS, lockChanges } from "./record-links.ts";
import { type ChangeCategory, fieldsOf, RECORDED_SOURCES, type RecordedSource } from "./recorded-fields.ts";

/** What recordChanges needs to know of an import. */
export interface RecordedImport {
  asOf: string;
  now: Date;
  /** The number of the import; null for a preview. */
  run: number | null;
  /** The datasets in the import's folder, and the datasets that a merge changed. */
  imported: ReadonlySet<Dataset>;
  changed: ReadonlySet<Dataset>;
  /** The datasets of earlier imports. */
  known: ReadonlySet<Dataset>;
  /** Whether another version of the program computed the authorities at the last import. */
  haveRulesChanged: boolean;
}

/** The number of recorded changes, by category. */
export type RecordedChanges = Partial<Record<ChangeCategory, number>>;

/**
 * Records what changed at companies that have, had or applied for an authority. The first import that has a field is
 * what later ones are compared with, so it records nothing of it. Runs in the import's transaction, after
 * updateRegistry: an import that is killed records nothing, and the next one everything.
 */
export async function recordChanges(client: pg.ClientBase, day: RecordedImport): Promise<RecordedChanges> {
  const counts: RecordedChanges = {};
  await lockChanges(client);
  for (const source of RECORDED_SOURCES.filter((candidate) => canDiffer(candidate, day))) {
    const known = await sql.listRecordedFields(client, { source: source.table });
    if (known.length === 0) continue;
    for (const { category, changes } of await recordSource(client, source, known, day))
      counts[category] = (counts[category] ?? 0) + changes;
  }
  for (const source of RECORDED_SOURCES.filter((candidate) => isImported(candidate, day.imported))) {
    const names = fieldsOf(source).map(({ field }) => field);
    await sql.startRecording(client, { source: source.table, fields: names, since: day.now });
  }
  return counts;
}

/**
 * Never gives the ids of the recorded changes again, even when these are deleted. A rollback does not undo it, so an import
 * calls it when nothing can refuse it any more.
 */
export async function keepChangeIds(client: pg.ClientBase): Promise<void> {
  await sql.keepChangeIds(client);
}

/** The files that give the status of an authority. */
const STATUS_FILES: readonly Dataset[] = [
  "motus_carrier",
  "motus_authhist",
  "motus_revokesuspend",
  "legacy_carrier",
];

const isImported = ({ table }: RecordedSource, imported: ReadonlySet<Dataset>): boolean =>
  table === "authority" ? STATUS_FILES.some((file) => imported.has(file)) : imported.has(table);

/**
 * Whether this import can show what changed in the registry. The status of an authority also differs after a file that
 * was never read before, and after a change of our own rules: neither is news of the registry.
 */
function canDiffer(
  { table }: RecordedSource,
  { imported, changed, known, haveRulesChanged }: RecordedImport,
) {
  if (table !== "authority") return changed.has(table);
  return !haveRulesChanged && STATUS_FILES.every((file) => known.has(file) || !imported.has(file));
}

async function recordSource(
  client: pg.ClientBase,
  source: RecordedSource,
  known: readonly sql.ListRecordedFieldsRow[],
  { asOf, now, run }: RecordedImport,
): Promise<{ category: ChangeCategory; changes: number }[]> {
  if (ROWS_KEPT.has(source.table)) {
    await analyze(client, `inserted_${source.table}`);
    await analyze(client, `deleted_${source.table}`);
  }
  const fields = known.map(({ field }) => field);
  const { rows } = await dynamic(client, changeStatement(source), [fields, asOf, now, run]);
  return rows as { category: ChangeCategory; changes: number }[];
}

/**
 * Since when the first field of each category is recorded, or else the oldest month is kept; a category that is not recorded yet
 * is absent.
 */
export type RecordedSince = Partial<Record<ChangeCategory, Date>>;

export async function recordedSince(
  context: Pick<Context, "db" | "clock" | "config" | "live">,
): Promise<RecordedSince> {
  const rows = await sql.listRecording(context.db.pool);
  const keptMs = keptSinceMs(context);
  const found: RecordedSince = {};
  for (const { source, field, since } of rows) {
    const category = CATEGORIES.get(`${source}.${field}`);
    // Earliest first.
    if (category !== undefined) found[category] ??= new Date(Math.max(since.getTime(), keptMs));
  }
  return found;
}

/** Changes of months before are dropped. In test mode all are kept. */
function keptSinceMs({ clock, config, live }: Pick<Context, "clock" | "config" | "live">): number {
  if (live !== undefined) return 0;
  return Date.parse(
    monthStartOf(new Date(clock.now().getTime() - config.retentionDays.carrierChanges * DAY_MS)),
  );
}

const CATEGORIES = new Map<string, ChangeCategory>([
  ...RECORDED_SOURCES.flatMap((source) =>
    fieldsOf(source).map(({ category, field }) => [`${source.table}.${field}`, category] as const),
  ),
  [`${LINKS.source}.${LINKS.field}`, "connection"],
]);

/** The categories of recorded changes. */
export const CHANGE_CATEGORIES: readonly ChangeCategory[] = [...new Set(CATEGORIES.values())];
