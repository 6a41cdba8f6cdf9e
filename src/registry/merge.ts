import type pg from "pg";
import { type Dataset, isDifferenceOf } from "./datasets.ts";
import { canBeFilled, fillTable } from "./fill-table.ts";

/** Number of rows that a merge inserted, updated and deleted. */
export interface Changes {
  inserted: number;
  updated: number;
  deleted: number;
}

/** A row of a daily difference with only a key: it deletes all rows of that key. */
export interface Removal {
  docket: string | null;
  usdot: number | null;
  /** Empty when the key does not name one. */
  opAuthType: string;
}

export interface MergeOptions {
  isDifference?: boolean;
  unchanged?: ReadonlySet<Dataset>;
  removals?: ReadonlyMap<Dataset, readonly Removal[]>;
}

/**
 * Merges a dataset's staged rows into its table and changes only rows that differ. `columns` are the columns of staged
 * rows. Rows missing from a whole file are deleted. A difference file never deletes rows merely missing from it. An
 * unchanged dataset is not staged and stays as it is. The temporary table touched_docket gets the dockets whose
 * authorities may have changed, some of them more than once. The tables new_authhist and gone_authhist get the inserted
 * and deleted rows of Motus AuthHist. Runs in the caller's transaction.
 */
export async function mergeDataset(
  client: pg.ClientBase,
  dataset: Dataset,
  columns: readonly string[],
  { isDifference = false, unchanged, removals }: MergeOptions = {},
): Promise<Changes> {
  if (unchanged?.has(dataset)) return { inserted: 0, updated: 0, deleted: 0 };
  const takenBack = isDifferenceOf({ isDifference }, dataset) ? (removals?.get(dataset) ?? []) : null;
  const changes = (await canBeFilled(client, dataset, `staging.${dataset}`))
    ? await fillDataset(client, dataset, columns)
    : await mergeInto(client, dataset, columns, takenBack);
  // Later joins in this transaction take minutes when they are planned with the statistics of an empty table.
  if (changes.inserted + changes.deleted > 0) await client.query(`ANALYZE ${dataset}`);
  return changes;
}

/** The datasets from which authorities are computed; policies are not among them. */
const AUTHORITY_SOURCES: readonly Dataset[] = [
  "motus_carrier",
  "motus_authhist",
  "motus_revokesuspend",
  "legacy_carrier",
  "legacy_authhist",
];

/** Copies all staged rows of a dataset whose table is empty. */
async function fillDataset(
  client: pg.ClientBase,
  dataset: Dataset,
  columns: readonly string[],
): Promise<Changes> {
  const inserted = await fillTable(client, dataset, columns, `staging.${dataset}`);
  if (AUTHORITY_SOURCES.includes(dataset)) {
    await client.query(
      `INSERT INTO touched_docket (docket) SELECT DISTINCT docket FROM ${dataset} WHERE docket IS NOT NULL`,
    );
  }
  if (dataset === "motus_authhist") {
    await client.query("INSERT INTO new_authhist (row_id) SELECT row_id FROM motus_authhist");
  }
  return { inserted, updated: 0, deleted: 0 };
}

async function mergeInto(
  client: pg.ClientBase,
  dataset: Dataset,
  columns: readonly string[],
  takenBack: readonly Removal[] | null,
): Promise<Changes> {
  await client.query(`ANALYZE staging.${dataset}`);
  if (dataset === "census") return mergeCensus(client, columns);
  if (takenBack === null) return mergeRows(client, dataset, columns, "true");
  await openTakenBack(client, takenBack);
  return mergeRows(client, dataset, columns, goneByDifference(dataset));
}

/** Must run once in the transaction before the first merge. */
export async function openTouchedDockets(client: pg.ClientBase): Promise<void> {
  await client.query(`
    CREATE TEMP TABLE touched_docket (docket text) ON COMMIT DROP;
    CREATE TEMP TABLE new_authhist (row_id uuid PRIMARY KEY) ON COMMIT DROP;
    CREATE TEMP TABLE gone_authhist (LIKE motus_authhist) ON COMMIT DROP`);
}

async function openTakenBack(client: pg.ClientBase, removals: readonly Removal[]): Promise<void> {
  await client.query("DROP TABLE IF EXISTS taken_back");
  await client.query(
    `CREATE TEMP TABLE taken_back ON COMMIT DROP AS
     SELECT * FROM unnest($1::text[], $2::integer[], $3::text[]) AS removal (docket, usdot, op_auth_type)`,
    [
      removals.map(({ docket }) => docket),
      removals.map(({ usdot }) => usdot),
      removals.map(({ opAuthType }) => opAuthType),
    ],
  );
}

/** SQL condition: a stored row that is not in the daily difference is deleted. */
function goneByDifference(dataset: Dataset): string {
  const hasType = !["motus_insur", "motus_inshist"].includes(dataset);
  const isTakenBack = `EXISTS (
      SELECT FROM taken_back AS back
      WHERE (back.docket IS NULL OR back.docket = stored.docket)
        AND (back.usdot IS NULL OR stored.usdot IS NULL OR back.usdot = stored.usdot)
        ${hasType ? "AND back.op_auth_type IN ('', stored.op_auth_type)" : ""})`;
  if (dataset !== "motus_carrier") return isTakenBack;
  // An authority has one row: a new one replaces it.
  return `(${isTakenBack} OR EXISTS (
      SELECT FROM staging.motus_carrier AS now
      WHERE now.docket = stored.docket AND now.usdot = stored.usdot AND now.op_auth_type = stored.op_auth_type))`;
}

// Rows of these files have no key but the hash of their content (row_id), so they are only inserted or deleted. `gone` is
// the SQL condition for deleting a stored row that is not staged.
async function mergeRows(
  client: pg.ClientBase,
  dataset: Exclude<Dataset, "census">,
  columns: readonly string[],
  gone: string,
): Promise<Changes> {
  const names = columns.join(", ");
  const isHistory = dataset === "motus_authhist";
  // An order without a docket applies to all dockets of its company.
  const usdot = dataset === "motus_revokesuspend" ? ", usdot" : "";
  const { rows } = await client.query<{ inserted: number; deleted: number }>(`
    WITH gone AS (
      DELETE FROM ${dataset} AS stored
      WHERE NOT EXISTS (SELECT FROM staging.${dataset} AS staged WHERE staged.row_id = stored.row_id) AND ${gone}
      RETURNING ${isHistory ? columns.map((column) => `stored.${column}`) : `stored.docket${usdot}`}
    ), come AS (
      INSERT INTO ${dataset} (${names})
      SELECT ${names} FROM staging.${dataset} AS staged
      WHERE NOT EXISTS (SELECT FROM ${dataset} AS stored WHERE stored.row_id = staged.row_id)
      RETURNING docket, row_id${usdot}
    ), touched AS (
      INSERT INTO touched_docket (docket)
      SELECT docket FROM (SELECT docket FROM gone UNION SELECT docket FROM come) AS moved WHERE docket IS NOT NULL
      ${
        usdot === ""
          ? ""
          : `UNION
      SELECT authority.docket
      FROM (SELECT docket, usdot FROM gone UNION SELECT docket, usdot FROM come) AS moved
      JOIN authority USING (usdot) WHERE moved.docket IS NULL`
      }
    )${
      isHistory
        ? `, news AS (INSERT INTO new_authhist (row_id) SELECT row_id FROM come),
    old AS (INSERT INTO gone_authhist (${names}) SELECT ${names} FROM gone)`
        : ""
    }
    SELECT (SELECT count(*)::int FROM come) AS inserted, (SELECT count(*)::int FROM gone) AS deleted`);
  return { inserted: rows[0]?.inserted ?? 0, updated: 0, deleted: rows[0]?.deleted ?? 0 };
}

async function mergeCensus(client: pg.ClientBase, columns: readonly string[]): Promise<Changes> {
  const columnsOf = (row: string) => columns.map((column) => `${row}.${column}`).join(", ");
  // Compares all rows only once: about one in a hundred differs.
  await client.query(`
    CREATE TEMP TABLE census_change ON COMMIT DROP AS
    SELECT coalesce(staged.usdot, stored.usdot) AS of_usdot, staged.usdot IS NULL AS goes, stored.usdot IS NULL AS comes
    FROM staging.census AS staged FULL JOIN census AS stored ON stored.usdot = staged.usdot
    WHERE staged.usdot IS NULL OR stored.usdot IS NULL OR ROW (${columnsOf("stored")}) IS DISTINCT FROM ROW (${columnsOf("staged")})`);
  await client.query("ANALYZE census_change");
  const deleted = await client.query(
    "DELETE FROM census AS stored USING census_change WHERE stored.usdot = of_usdot AND goes",
  );
  const updated = await client.query(`
    UPDATE census AS stored SET (${columns}) = ROW (${columnsOf("now")})
    FROM staging.census AS now JOIN census_change ON of_usdot = now.usdot AND NOT goes AND NOT comes
    WHERE stored.usdot = now.usdot`);
  const inserted = await client.query(`
    INSERT INTO census (${columns})
    SELECT ${columnsOf("now")} FROM staging.census AS now JOIN census_change ON of_usdot = now.usdot AND comes`);
  await client.query("DROP TABLE census_change");
  return {
    inserted: inserted.rowCount ?? 0,
    updated: updated.rowCount ?? 0,
    deleted: deleted.rowCount ?? 0,
  };
}
