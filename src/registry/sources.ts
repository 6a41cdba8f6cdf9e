import type pg from "pg";
import { Gauge } from "prom-client";
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

/** Rows by value that no vocabulary knows, by column. */
type UnknownValues = Record<string, Record<string, number>>;

/**
 * Notes that a daily difference of a dataset was merged: its size stays what the last whole file said, and values that it
 * brought and nobody knows are known to have been there.
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

/** A value of a coded column that no vocabulary knows, as of the last import of its dataset. */
export interface UnknownValue {
  dataset: Dataset;
  column: string;
  value: string;
  rows: number;
}

/** What the last imports met and no vocabulary knows, most rows first. */
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

/** Adds to the metrics how many rows of the last imports have values that no vocabulary knows. */
export function watchUnknownValues({ db, metrics }: Pick<Context, "db" | "metrics">): void {
  new Gauge({
    name: "tdf_unknown_values",
    help: "Rows of the last imports with a value that is not known, by dataset and column.",
    labelNames: ["dataset", "column"],
    registers: [metrics.registry],
    async collect() {
      this.reset();
      // The other metrics are worth reading when the database is away, all the more.
      const values = await listUnknownValues({ db }).catch(() => []);
      for (const { dataset, column, rows } of values) this.inc({ dataset, column }, rows);
    },
  });
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
  return readSourceDays(client);
}

/** The newest day noted of every dataset that was imported; null where its file tells none. */
export async function readSourceDays(client: pg.ClientBase): Promise<Map<Dataset, string | null>> {
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
