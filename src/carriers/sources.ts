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

/** The datasets imported so far. */
export async function listSources(context: Context): Promise<Source[]> {
  const { rows } = await context.db.pool.query<Source>(
    `SELECT dataset, rows, newest_row_on AS "newestRowOn", profile, imported_at AS "importedAt"
     FROM source ORDER BY dataset`,
  );
  return rows;
}
