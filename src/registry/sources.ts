import type pg from "pg";
import { Gauge } from "prom-client";
import * as sql from "../generated/sql/registry.ts";
import type { Context } from "../platform/context.ts";
import { dynamic } from "../platform/database/statement.ts";
import { type Dataset, isLegacy } from "./datasets.ts";

/** A dataset's last good import. The importer compares the next file with `profile`. */
export interface Source {
  dataset: Dataset;
  rows: number;
  newestRowOn: string | null;
  profile: unknown;
  importedAt: Date;
  /** The day of the registry in the last import whose file had other bytes than the file before. */
  changedOn: string;
}

/** A good import of a dataset, for the last day whose changes its file can have. */
type ImportedSource = Omit<Source, "changedOn"> & { today: string };

/** Records a dataset's good import. Runs in the transaction that merges it. */
export async function recordSource(client: pg.ClientBase, source: ImportedSource): Promise<void> {
  await sql.recordSource(client, { ...source, profile: JSON.stringify(source.profile) });
}

/** How many rows have each value that no vocabulary knows, by column. */
type UnknownValues = Record<string, Record<string, number>>;

/**
 * Records that a daily difference of a dataset was merged. `today` is null if it changed no row: then it says nothing about its day,
 * as the same file twice does not. The number of rows stays that of the last whole file.
 * Unknown values of the difference are added to those recorded before.
 */
export async function recordDifference(
  client: pg.ClientBase,
  {
    dataset,
    importedAt,
    today,
    unknownValues,
  }: Pick<ImportedSource, "dataset" | "importedAt"> & { today: string | null; unknownValues: UnknownValues },
): Promise<void> {
  const row = await sql.unknownValuesOf(client, { dataset });
  const known = { ...row?.known };
  for (const [column, values] of Object.entries(unknownValues))
    known[column] = { ...values, ...known[column] };
  await sql.recordDifference(client, {
    dataset,
    importedAt,
    today,
    unknownValues: JSON.stringify(known),
  });
}

/** A value of a coded column that is in no vocabulary, as of the last import of its dataset. */
export interface UnknownValue {
  dataset: Dataset;
  column: string;
  value: string;
  rows: number;
}

/** The unknown values of the last imports, most rows first. */
export const listUnknownValues = ({ db }: Pick<Context, "db">): Promise<UnknownValue[]> =>
  sql.listUnknownValues(db.pool);

/** Adds a metric: the number of rows of the last imports with unknown values. */
export function watchUnknownValues({ db, metrics }: Pick<Context, "db" | "metrics">): void {
  new Gauge({
    name: "tdf_unknown_values",
    help: "Rows of the last imports with a value that is not known, by dataset and column.",
    labelNames: ["dataset", "column"],
    registers: [metrics.registry],
    async collect() {
      this.reset();
      // The other metrics are needed even more while the database is not reachable.
      const values = await listUnknownValues({ db }).catch(() => []);
      for (const { dataset, column, rows } of values) this.inc({ dataset, column }, rows);
    },
  });
}

/** The date column of each live file that gives the file's age. Its modification time does not. */
export const ROW_DAY = {
  motus_authhist: "changed_on",
  motus_revokesuspend: "served_on",
  motus_insur: "filed_on",
} as const;

/**
 * Records for each live file the newest day of its rows, up to `today`. The day of the census is that of its newest
 * registration or update. A file of this import without dates is not newer than the others, whenever it is imported.
 * Returns the day of every dataset, as readSourceDays does.
 */
export async function recordNewestRows(
  client: pg.ClientBase,
  today: string,
  imported: ReadonlySet<Dataset>,
): Promise<Map<Dataset, string | null>> {
  for (const [dataset, column] of Object.entries(ROW_DAY) as [keyof typeof ROW_DAY, string][]) {
    await dynamic(
      client,
      `UPDATE source SET newest_row_on = (SELECT max(${column}) FROM ${dataset} WHERE ${column} <= $1)
       WHERE dataset = '${dataset}'`,
      [today],
    );
  }
  const asOf = registryDay(await readSourceDays(client));
  if (asOf !== null) await sql.limitChangedOn(client, { datasets: [...imported], asOf });
  return readSourceDays(client);
}

/**
 * The day of every imported dataset: the newest day in its rows, or if they have none the day on which its file changed.
 * Null for a frozen file, and for one that has only rows dated in the future.
 */
export async function readSourceDays(client: pg.ClientBase): Promise<Map<Dataset, string | null>> {
  const rows = await sql.sourceDays(client);
  return new Map(
    rows.map(({ dataset, newestRowOn, changedOn }) => {
      if (isLegacy(dataset)) return [dataset, null];
      return [dataset, newestRowOn ?? (dataset in ROW_DAY ? null : changedOn)];
    }),
  );
}

/** The rows of every imported dataset. */
export async function readSourceRows(client: pg.ClientBase): Promise<Map<Dataset, number>> {
  const rows = await sql.listSources(client);
  return new Map(rows.map(({ dataset, rows: count }) => [dataset, count]));
}

/** The as-of day of the registry: the newest day in the live files; null before the first import. */
export const registryDay = (sourceDays: ReadonlyMap<Dataset, string | null>): string | null =>
  Object.keys(ROW_DAY)
    .flatMap((dataset) => sourceDays.get(dataset as Dataset) ?? [])
    .sort()
    .at(-1) ?? null;

/** The datasets imported so far. */
export const listSources = ({ db }: Context): Promise<Source[]> => sql.listSources(db.pool);
