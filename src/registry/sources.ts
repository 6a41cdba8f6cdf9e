import type pg from "pg";
import { Gauge } from "prom-client";
import type { Context } from "../platform/context.ts";
import type { Dataset } from "./datasets.ts";

/** Facts about a dataset's last good import; the importer compares the next one with `profile`. */
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

/** By column, the number of rows of each value that is in no vocabulary. */
type UnknownValues = Record<string, Record<string, number>>;

/**
 * Records that a daily difference of a dataset was merged. The number of rows stays that of the last whole file. New
 * unknown values are added to the profile.
 */
export async function recordDifference(
  client: pg.ClientBase,
  {
    dataset,
    importedAt,
    unknownValues,
  }: Pick<Source, "dataset" | "importedAt"> & { unknownValues: UnknownValues },
): Promise<void> {
  const { rows } = await client.query<{ known: UnknownValues | null }>(
    "SELECT profile -> 'unknownValues' AS known FROM source WHERE dataset = $1",
    [dataset],
  );
  const known = { ...rows[0]?.known };
  for (const [column, values] of Object.entries(unknownValues))
    known[column] = { ...values, ...known[column] };
  await client.query(
    `UPDATE source SET imported_at = $2, profile = profile || jsonb_build_object('unknownValues', $3::jsonb)
     WHERE dataset = $1`,
    [dataset, importedAt, JSON.stringify(known)],
  );
}

/** A value of a coded column that is in no vocabulary, as of the last import of its dataset. */
export interface UnknownValue {
  dataset: Dataset;
  column: string;
  value: string;
  rows: number;
}

/** The unknown values of the last imports, most rows first. */
export async function listUnknownValues({ db }: Pick<Context, "db">): Promise<UnknownValue[]> {
  const { rows } = await db.pool.query<UnknownValue>(
    `SELECT dataset, columns.key AS column, met.key AS value, met.value::int AS rows
     FROM source
     CROSS JOIN LATERAL jsonb_each(coalesce(profile -> 'unknownValues', '{}')) AS columns
     CROSS JOIN LATERAL jsonb_each_text(columns.value) AS met
     ORDER BY rows DESC, dataset, "column", value`,
  );
  return rows;
}

/** Adds a metric: the number of rows of the last imports with unknown values. */
export function watchUnknownValues({ db, metrics }: Pick<Context, "db" | "metrics">): void {
  new Gauge({
    name: "tdf_unknown_values",
    help: "Rows of the last imports with a value that is not known, by dataset and column.",
    labelNames: ["dataset", "column"],
    registers: [metrics.registry],
    async collect() {
      this.reset();
      // A database failure must not hide the other metrics.
      const values = await listUnknownValues({ db }).catch(() => []);
      for (const { dataset, column, rows } of values) this.inc({ dataset, column }, rows);
    },
  });
}

/** The row-date column of each live file; it shows the file's age instead of the file's timestamp. */
export const ROW_DAY = {
  motus_authhist: "changed_on",
  motus_revokesuspend: "served_on",
  motus_insur: "filed_on",
} as const;

/**
 * Stores for each live dataset the newest date of its rows up to `today`. Returns the newest date of every imported
 * dataset: null when its file has none. For the census it is the newest registration or update.
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
  return readSourceDays(client);
}

/** The newest stored date of every imported dataset; null when its file has none. */
export async function readSourceDays(client: pg.ClientBase): Promise<Map<Dataset, string | null>> {
  const { rows } = await client.query<{ dataset: Dataset; day: string | null }>(
    "SELECT dataset, newest_row_on AS day FROM source",
  );
  return new Map(rows.map(({ dataset, day }) => [dataset, day]));
}

/** The as-of day of the registry: the newest date in the live files; null before the first import. */
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
