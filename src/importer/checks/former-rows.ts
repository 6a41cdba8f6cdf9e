import type pg from "pg";
import * as sql from "../../generated/sql/importer/checks.ts";
import { dynamic } from "../../platform/database/statement.ts";
import { ROWS_KEPT } from "../../registry/changes/change-statement.ts";
import type { Dataset } from "../../registry/datasets.ts";
import type { StagedRows } from "../../registry/merge/merge.ts";

/** The rows of a whole file that the last import did not have. */
export interface AddedRows {
  /** In each tenth of the file, those that none of the last imports had. */
  newRows: number[];
  /** Those that an import before the last one had. */
  returned: number;
}

export const PARTS = 10;
/** More pages than COPY adds to a table at once. */
const MOST_EMPTY_PAGES = 128;
/** How many imports' rows are compared. */
export const RUNS_COMPARED = 10;
/** When a larger share of a file changed it has another form, and its rows before tell nothing of those to come. */
const MOST_KEPT = 0.2;

/** Counts the rows that a merge added. Null for a dataset that is not compared. */
export async function addedRowsOf(client: pg.ClientBase, staged: StagedRows): Promise<AddedRows | null> {
  const { dataset } = staged;
  if (!isCompared(dataset)) return null;
  // Staging tables are filled in the order of the file, so the page of a row tells its place. Their last pages are empty:
  // COPY adds up to 64 at once.
  const { rows } = await dynamic(
    client,
    `WITH tail AS MATERIALIZED (
       SELECT format('(%s,0)', greatest(pg_relation_size('staging.${dataset}') / current_setting('block_size')::int
         - ${MOST_EMPTY_PAGES}, 0))::tid AS start),
     size AS (
       SELECT coalesce((max(ctid)::text::point)[0], 0) + 1 AS pages
       FROM staging.${dataset} WHERE ctid >= (SELECT start FROM tail)),
     last_import AS (SELECT max(id) AS run_id FROM import_run WHERE status = 'published'),
     former AS (SELECT row_hash, min(run_id) AS run_id FROM former_row WHERE dataset = $1 GROUP BY row_hash)
     SELECT least(floor((place::text::point)[0] * ${PARTS} / pages), ${PARTS - 1})::int AS part,
       count(*) FILTER (WHERE former.run_id IS NULL)::int AS rows,
       count(*) FILTER (WHERE former.run_id < last_import.run_id)::int AS returned
     FROM (${addedRows(staged)}) AS added LEFT JOIN former USING (row_hash) CROSS JOIN size CROSS JOIN last_import
     GROUP BY part`,
    [dataset],
  );
  const found = rows as { part: number; rows: number; returned: number }[];
  return {
    newRows: Array.from({ length: PARTS }, (_, index) => found.find(({ part }) => part === index)?.rows ?? 0),
    returned: found.reduce((sum, { returned }) => sum + returned, 0),
  };
}

/** Keeps the rows that a merge deleted or changed, of `rows` that were stored, for addedRowsOf of the next imports. */
export async function keepFormerRows(
  client: pg.ClientBase,
  staged: StagedRows,
  { run, rows, gone }: { run: number | null; rows: number; gone: number },
): Promise<void> {
  const { dataset } = staged;
  if (!isCompared(dataset)) return;
  await sql.forgetFormerRows(client, { dataset, runs: RUNS_COMPARED });
  if (gone > rows * MOST_KEPT) return;
  await dynamic(
    client,
    `INSERT INTO former_row (dataset, run_id, row_hash) SELECT $1, $2, row_hash FROM (${goneRows(staged)}) AS gone
     ON CONFLICT DO NOTHING`,
    [dataset, run ?? 0],
  );
}

const isCompared = (dataset: Dataset): boolean => dataset === "census" || ROWS_KEPT.has(dataset);

const HASH_OF_ID = "hashtextextended(row_id::text, 0) AS row_hash";
const hashOf = (columns: readonly string[]): string =>
  `hashtextextended(ROW (${columns.join(", ")})::text, 0) AS row_hash`;

/** The rows that the merge added, each with its place in the staging table. */
const addedRows = ({ dataset, columns }: StagedRows): string =>
  dataset === "census"
    ? `SELECT now_place AS place, ${hashOf(columns.map((column) => `now_${column}`))} FROM census_change WHERE NOT is_deleted`
    : `SELECT staged.ctid AS place, ${HASH_OF_ID} FROM staging.${dataset} AS staged JOIN inserted_${dataset} USING (row_id)`;

const goneRows = ({ dataset, columns }: StagedRows): string =>
  dataset === "census"
    ? `SELECT ${hashOf(columns)} FROM census_change WHERE NOT is_inserted`
    : `SELECT ${HASH_OF_ID} FROM deleted_${dataset}`;
