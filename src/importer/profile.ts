import type pg from "pg";
import type { Dataset } from "../carriers/datasets.ts";
import { ROW_DAY } from "../carriers/sources.ts";
import type { StagedFile } from "./stage.ts";

/** What a dataset's rows are like as a whole; kept in table source and compared with by the next import's checks. */
export interface Profile {
  rows: number;
  /** The newest day a row came to be that is not after the day of the import; null where the file tells none. */
  newestRowOn: string | null;
  /** Rows by state; those without one not counted. */
  byState: Record<string, number>;
  /** By column, the share of rows (0 to 1) in which it is filled; for a yes/no column, in which it says yes. */
  filledShare: Record<string, number>;
  /** The file as it was read, for one that may come again the same. */
  file?: { fingerprint: string; staged: StagedFile };
}

// Other dates, as those on which orders and policies take effect, may lie ahead of the file.
const DAYS: Partial<Record<Dataset, readonly string[]>> = {
  ...Object.fromEntries(Object.entries(ROW_DAY).map(([dataset, column]) => [dataset, [column]])),
  legacy_authhist: ["action_on", "final_on"],
  legacy_revocation: ["served_on"],
  legacy_actpendinsur: ["filed_on"],
};

/** Measures what is staged for a dataset. `today`: YYYY-MM-DD; dates after it do not count. */
export async function profileOf(client: pg.ClientBase, dataset: Dataset, today: string): Promise<Profile> {
  const columns = await stagedColumns(client, dataset);
  const filled = columns.map(({ name, type }) => {
    if (type === "boolean") return `count(*) FILTER (WHERE ${name})`;
    // `unknown` is what a status or a class is called that could not be read: no better than none.
    return type === "text" ? `count(nullif(${name}, 'unknown'))` : `count(${name})`;
  });
  const newest = (DAYS[dataset] ?? []).map((name) => `max(${name}) FILTER (WHERE ${name} <= $1)`);
  const { rows } = await client.query<{ rows: number; newest: string | null; filled: number[] }>(
    `SELECT count(*) AS rows, greatest(${["NULL::date", ...newest].join(", ")}) AS newest,
       ARRAY [${filled.join(", ")}] AS filled
     FROM staging.${dataset} WHERE $1::date IS NOT NULL`,
    [today],
  );
  const measured = rows[0] ?? { rows: 0, newest: null, filled: [] };
  const shares = columns.map(({ name }, place) => [
    name,
    (measured.filled[place] ?? 0) / Math.max(measured.rows, 1),
  ]);
  return {
    rows: measured.rows,
    newestRowOn: measured.newest,
    byState: columns.some(({ name }) => name === "state") ? await rowsByState(client, dataset) : {},
    filledShare: Object.fromEntries(shares),
  };
}

async function rowsByState(client: pg.ClientBase, dataset: Dataset): Promise<Record<string, number>> {
  const { rows } = await client.query<{ state: string; count: number }>(
    `SELECT state, count(*) AS count FROM staging.${dataset} WHERE state IS NOT NULL GROUP BY state ORDER BY state`,
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

async function stagedColumns(
  client: pg.ClientBase,
  dataset: Dataset,
): Promise<{ name: string; type: string }[]> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = 'staging' AND table_name = $1 AND column_name <> 'row_id' ORDER BY ordinal_position`,
    [dataset],
  );
  return rows;
}
