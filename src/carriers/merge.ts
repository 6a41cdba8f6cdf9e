import type pg from "pg";
import type { Dataset } from "./datasets.ts";

/** Rows of a dataset that a merge put in, changed and took out. */
export interface Changes {
  inserted: number;
  updated: number;
  deleted: number;
}

/**
 * Makes a dataset's table equal to what is staged for it, touching only the rows that differ, and notes in the
 * temporary table touched_docket which dockets may stand differently now. Runs in the caller's transaction.
 */
export async function mergeDataset(client: pg.ClientBase, dataset: Dataset): Promise<Changes> {
  await client.query(`ANALYZE staging.${dataset}`);
  return dataset === "census" ? mergeCensus(client) : mergeRows(client, dataset);
}

/** Must run once in the transaction before the first merge. */
export async function openTouchedDockets(client: pg.ClientBase): Promise<void> {
  await client.query("CREATE TEMP TABLE touched_docket (docket text PRIMARY KEY) ON COMMIT DROP");
}

// These files have no key of their own: a row is its content (row_id), so it can only come or go.
async function mergeRows(client: pg.ClientBase, dataset: Exclude<Dataset, "census">): Promise<Changes> {
  const { rows } = await client.query<{ inserted: number; deleted: number }>(`
    WITH gone AS (
      DELETE FROM ${dataset} AS stored
      WHERE NOT EXISTS (SELECT FROM staging.${dataset} AS staged WHERE staged.row_id = stored.row_id)
      RETURNING stored.docket
    ), come AS (
      INSERT INTO ${dataset}
      SELECT staged.* FROM staging.${dataset} AS staged
      WHERE NOT EXISTS (SELECT FROM ${dataset} AS stored WHERE stored.row_id = staged.row_id)
      RETURNING docket
    ), touched AS (
      INSERT INTO touched_docket SELECT docket FROM gone UNION SELECT docket FROM come
      ON CONFLICT DO NOTHING
    )
    SELECT (SELECT count(*)::int FROM come) AS inserted, (SELECT count(*)::int FROM gone) AS deleted`);
  return { inserted: rows[0]?.inserted ?? 0, updated: 0, deleted: rows[0]?.deleted ?? 0 };
}

async function mergeCensus(client: pg.ClientBase): Promise<Changes> {
  const { rows: columns } = await client.query<{ names: string; staged: string }>(`
    SELECT string_agg(quote_ident(column_name), ', ') AS names,
           string_agg('staged.' || quote_ident(column_name), ', ') AS staged
    FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = 'census' AND column_name <> 'usdot'`);
  const { names, staged } = columns[0] ?? { names: "", staged: "" };
  const deleted = await client.query(`
    DELETE FROM census AS stored
    WHERE NOT EXISTS (SELECT FROM staging.census AS staged WHERE staged.usdot = stored.usdot)`);
  const updated = await client.query(`
    UPDATE census AS stored SET (${names}) = ROW (${staged})
    FROM staging.census AS staged
    WHERE staged.usdot = stored.usdot AND ROW (stored.*) IS DISTINCT FROM ROW (staged.*)`);
  const inserted = await client.query(`
    INSERT INTO census
    SELECT staged.* FROM staging.census AS staged
    WHERE NOT EXISTS (SELECT FROM census AS stored WHERE stored.usdot = staged.usdot)`);
  return {
    inserted: inserted.rowCount ?? 0,
    updated: updated.rowCount ?? 0,
    deleted: deleted.rowCount ?? 0,
  };
}
