import type pg from "pg";
import type { Context } from "../platform/context.ts";
import type { Dataset } from "./datasets.ts";

/** What is known of a dataset's last good import; `profile` is what the importer compares the next one with. */
export interface Source {
  dataset: Dataset;
  rows: number;
  newestRowOn: string | null;
  profile: unknown;
  importedAt: Date;
}

/** Records a dataset's good import. Runs in the transaction that merges it. */
export async function recordSource(client: pg.ClientBase, source: Source): Promise<void> {
  await client.query(
    `INSERT INTO source (dataset, rows, newest_row_on, profile, imported_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (dataset) DO UPDATE SET rows = excluded.rows, newest_row_on = excluded.newest_row_on,
       profile = excluded.profile, imported_at = excluded.imported_at`,
    [source.dataset, source.rows, source.newestRowOn, JSON.stringify(source.profile), source.importedAt],
  );
}

/** Notes that a daily difference of a dataset was merged; its size stays what the last whole file said. */
export async function recordDifference(
  client: pg.ClientBase,
  dataset: Dataset,
  importedAt: Date,
): Promise<void> {
  await client.query("UPDATE source SET imported_at = $2 WHERE dataset = $1", [dataset, importedAt]);
}

/** The column that says when a row of a live file came to be: what the file's age is told by, never its timestamp. */
export const ROW_DAY = {
  motus_authhist: "changed_on",
  motus_revokesuspend: "served_on",
  motus_insur: "filed_on",
} as const;

/**
 * Notes in each live source the newest day, up to `today`, inside its rows. Returns the day of every dataset that was
 * imported: null where its file tells none (of the census it is that of its newest registration or update).
 */
export async function noteNewestRows(
  client: pg.ClientBase,
  today: string,
): Promise<Map<Dataset, string | null>> {
  for (const [dataset, column] of Object.entries(ROW_DAY) as [keyof typeof ROW_DAY, string][]) {
    await client.query(
      `UPDATE source SET newest_row_on = (SELECT max(${column}) FROM ${dataset} WHERE ${column} <= $1)
       WHERE dataset = '${dataset}'`,
      [today],
    );
  }
  const { rows } = await client.query<{ dataset: Dataset; day: string | null }>(
    "SELECT dataset, newest_row_on AS day FROM source",
  );
  return new Map(rows.map(({ dataset, day }) => [dataset, day]));
}

/** The as-of day of the registry: the newest day inside the live files; null while none has come. */
export const registryDay = (sourceDays: ReadonlyMap<Dataset, string | null>): string | null =>
  Object.keys(ROW_DAY)
    .flatMap((dataset) => sourceDays.get(dataset as Dataset) ?? [])
    .sort()
    .at(-1) ?? null;

/** The datasets imported so far. */
export async function listSources(context: Context): Promise<Source[]> {
  const { rows } = await context.db.pool.query<Source>(
    `SELECT dataset, rows, newest_row_on AS "newestRowOn", profile, imported_at AS "importedAt"
     FROM source ORDER BY dataset`,
  );
  return rows;
}
