import type pg from "pg";
import { type Dataset, isDifferenceOf } from "./datasets.ts";
import { canBeFilled, fillTable } from "./fill-table.ts";

/** Rows of a dataset that a merge put in, changed and took out. */
export interface Changes {
  inserted: number;
  updated: number;
  deleted: number;
}

/**
 * Brings a dataset's table to what is staged for it, touching only the rows that differ: a whole file judges, so what
 * is not in it goes; of a daily difference nothing goes by absence; what is unchanged is not staged at all. Notes in the
 * temporary tables touched_docket which dockets may stand differently now, some of them more than once, and new_authhist
 * which rows of Motus AuthHist have come. Runs in the caller's transaction.
 */
export async function mergeDataset(
  client: pg.ClientBase,
  dataset: Dataset,
  { isDifference = false, unchanged }: { isDifference?: boolean; unchanged?: ReadonlySet<Dataset> } = {},
): Promise<Changes> {
  if (unchanged?.has(dataset)) return { inserted: 0, updated: 0, deleted: 0 };
  const changes = (await canBeFilled(client, dataset, `staging.${dataset}`))
    ? await fillDataset(client, dataset)
    : await mergeInto(client, dataset, isDifference);
  // What follows in this transaction joins tables that may have been empty: planned without knowing, it takes minutes.
  if (changes.inserted + changes.deleted > 0) await client.query(`ANALYZE ${dataset}`);
  return changes;
}

/** The datasets that tell how an authority stands; orders and policies do not. */
const TELLING: readonly Dataset[] = ["motus_carrier", "motus_authhist", "legacy_carrier", "legacy_authhist"];

/** Takes over all that is staged for a dataset whose table is empty. */
async function fillDataset(client: pg.ClientBase, dataset: Dataset): Promise<Changes> {
  const kept = dataset === "motus_insur" ? `WHERE NOT (${IS_REMOVAL})` : "";
  const inserted = await fillTable(
    client,
    dataset,
    `SELECT staged.* FROM staging.${dataset} AS staged ${kept}`,
  );
  if (TELLING.includes(dataset)) {
    await client.query(`INSERT INTO touched_docket SELECT DISTINCT docket FROM ${dataset}`);
  }
  if (dataset === "motus_authhist") {
    await client.query("INSERT INTO new_authhist SELECT row_id FROM motus_authhist");
  }
  return { inserted, updated: 0, deleted: 0 };
}

async function mergeInto(client: pg.ClientBase, dataset: Dataset, isDifference: boolean): Promise<Changes> {
  await client.query(`ANALYZE staging.${dataset}`);
  if (dataset === "census") return mergeCensus(client);
  const gone = isDifferenceOf({ isDifference }, dataset) ? goneByDifference(dataset) : "true";
  return mergeRows(client, dataset, gone);
}

/** Must run once in the transaction before the first merge. */
export async function openTouchedDockets(client: pg.ClientBase): Promise<void> {
  await client.query(`
    CREATE TEMP TABLE touched_docket (docket text) ON COMMIT DROP;
    CREATE TEMP TABLE new_authhist (row_id uuid PRIMARY KEY) ON COMMIT DROP`);
}

/** Says in SQL which stored rows go when a daily difference does not hold them. */
function goneByDifference(dataset: Dataset): string {
  // An authority has one row: what it was goes when it comes anew.
  if (dataset === "motus_carrier") {
    return `EXISTS (
      SELECT FROM staging.motus_carrier AS now
      WHERE now.docket = stored.docket AND now.usdot = stored.usdot AND now.op_auth_type = stored.op_auth_type)`;
  }
  // A removal does not say which policy of its docket: all go, and those that stay come with the same file.
  if (dataset === "motus_insur") {
    return `stored.docket IN (SELECT docket FROM staging.motus_insur AS staged WHERE ${IS_REMOVAL})`;
  }
  return "false";
}

const IS_REMOVAL = `staged.policy_key = '' AND num_nonnulls(staged.usdot, staged.form_code, staged.type_code,
  staged.class_code, staged.max_coverage, staged.policy_no, staged.effective_on, staged.insurer, staged.filed_on) = 0`;

// These files have no key of their own: a row is its content (row_id), so it can only come or go. `gone` says in SQL
// which stored rows go when they are not staged.
async function mergeRows(
  client: pg.ClientBase,
  dataset: Exclude<Dataset, "census">,
  gone: string,
): Promise<Changes> {
  const { rows } = await client.query<{ inserted: number; deleted: number }>(`
    WITH gone AS (
      DELETE FROM ${dataset} AS stored
      WHERE NOT EXISTS (SELECT FROM staging.${dataset} AS staged WHERE staged.row_id = stored.row_id) AND ${gone}
      RETURNING stored.docket
    ), come AS (
      INSERT INTO ${dataset}
      SELECT staged.* FROM staging.${dataset} AS staged
      WHERE NOT EXISTS (SELECT FROM ${dataset} AS stored WHERE stored.row_id = staged.row_id)
        ${dataset === "motus_insur" ? `AND NOT (${IS_REMOVAL})` : ""}
      RETURNING docket, row_id
    ), touched AS (
      INSERT INTO touched_docket
      SELECT docket FROM (SELECT docket FROM gone UNION SELECT docket FROM come) AS moved WHERE docket IS NOT NULL
    )${dataset === "motus_authhist" ? ", news AS (INSERT INTO new_authhist SELECT row_id FROM come)" : ""}
    SELECT (SELECT count(*)::int FROM come) AS inserted, (SELECT count(*)::int FROM gone) AS deleted`);
  return { inserted: rows[0]?.inserted ?? 0, updated: 0, deleted: rows[0]?.deleted ?? 0 };
}

async function mergeCensus(client: pg.ClientBase): Promise<Changes> {
  const { rows: columns } = await client.query<{ names: string; now: string }>(`
    SELECT string_agg(quote_ident(column_name), ', ') AS names, string_agg('now.' || quote_ident(column_name), ', ') AS now
    FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = 'census' AND column_name <> 'usdot'`);
  const { names = "", now = "" } = columns[0] ?? {};
  // Compared once: what comes, changes or goes is a hundredth of it.
  await client.query(`
    CREATE TEMP TABLE census_change ON COMMIT DROP AS
    SELECT coalesce(staged.usdot, stored.usdot) AS of_usdot, staged.usdot IS NULL AS goes, stored.usdot IS NULL AS comes
    FROM staging.census AS staged FULL JOIN census AS stored ON stored.usdot = staged.usdot
    WHERE staged.usdot IS NULL OR stored.usdot IS NULL OR ROW (stored.*) IS DISTINCT FROM ROW (staged.*)`);
  await client.query("ANALYZE census_change");
  const deleted = await client.query(
    "DELETE FROM census AS stored USING census_change WHERE stored.usdot = of_usdot AND goes",
  );
  const updated = await client.query(`
    UPDATE census AS stored SET (${names}) = ROW (${now})
    FROM staging.census AS now JOIN census_change ON of_usdot = now.usdot AND NOT goes AND NOT comes
    WHERE stored.usdot = now.usdot`);
  const inserted = await client.query(`
    INSERT INTO census SELECT now.* FROM staging.census AS now JOIN census_change ON of_usdot = now.usdot AND comes`);
  await client.query("DROP TABLE census_change");
  return {
    inserted: inserted.rowCount ?? 0,
    updated: updated.rowCount ?? 0,
    deleted: deleted.rowCount ?? 0,
  };
}
