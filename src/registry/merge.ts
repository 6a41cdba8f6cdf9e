import type pg from "pg";
import { analyze, dynamic } from "../platform/database/statement.ts";
import { ROWS_KEPT } from "./changes/change-statement.ts";
import { type Dataset, isDifferenceOf } from "./datasets.ts";
import { canBeFilled, fillTable } from "./fill-table.ts";
import * as sql from "./statements.ts";

/** How many rows of a table a merge inserted, updated and deleted. */
export interface Changes {
  inserted: number;
  updated: number;
  deleted: number;
}

/** A row of a daily difference that is blank except for its key: all rows stored under the key are deleted. */
export interface RemovalKey {
  docket: string | null;
  usdot: number | null;
  /** Empty if the key names none. */
  opAuthType: string;
}

export interface MergeOptions {
  isDifference?: boolean;
  unchanged?: ReadonlySet<Dataset>;
  removalKeys?: ReadonlyMap<Dataset, readonly RemovalKey[]>;
}

/**
 * Merges a dataset's staged rows into its table and writes only the rows that differ. `columns` are the columns that
 * staged rows fill. A whole file deletes the stored rows that it does not have. A difference file never deletes rows
 * merely missing from it, only rows that it names by key. An unchanged dataset is not staged and stays as it is. The
 * temporary table touched_docket gets the dockets whose authorities may have changed, some of them more than once. The
 * tables new_authhist and deleted_authhist get the rows of Motus AuthHist that were inserted and deleted. For the
 * changes that recordChanges finds, inserted_… and deleted_… keep such rows of every recorded table, and census_change
 * the rows of the census before, and after (now_…). Runs in the caller's transaction.
 */
export async function mergeDataset(
  client: pg.ClientBase,
  dataset: Dataset,
  columns: readonly string[],
  { isDifference = false, unchanged, removalKeys }: MergeOptions = {},
): Promise<Changes> {
  if (unchanged?.has(dataset)) return { inserted: 0, updated: 0, deleted: 0 };
  const differenceKeys = isDifferenceOf({ isDifference }, dataset) ? (removalKeys?.get(dataset) ?? []) : null;
  const changes = (await canBeFilled(client, dataset, `staging.${dataset}`))
    ? await fillDataset(client, dataset, columns)
    : await mergeInto(client, dataset, columns, differenceKeys);
  await analyzeAfter(client, dataset, changes);
  return changes;
}

/**
 * Makes the planner's statistics of a table of which a tenth changed, as the server itself would after the commit. Later
 * statements of the same transaction join tables that may have been empty. Without statistics they take minutes.
 */
export async function analyzeAfter(
  client: pg.ClientBase,
  table: string,
  { inserted, updated, deleted }: Changes,
): Promise<void> {
  const changed = inserted + updated + deleted;
  if (changed === 0) return;
  const { rows } = await dynamic(client, `SELECT EXISTS (SELECT FROM ${table} OFFSET $1) AS is_large`, [
    10 * changed,
  ]);
  const [{ is_large: isLarge }] = rows as [{ is_large: boolean }];
  if (!isLarge) await analyze(client, table);
}

/** The datasets that give the state of authorities. Policies do not. */
const AUTHORITY_DATASETS: readonly Dataset[] = [
  "motus_carrier",
  "motus_authhist",
  "motus_revokesuspend",
  "legacy_carrier",
  "legacy_authhist",
];

/** Copies all staged rows of a dataset into its empty table. */
async function fillDataset(
  client: pg.ClientBase,
  dataset: Dataset,
  columns: readonly string[],
): Promise<Changes> {
  const inserted = await fillTable(client, dataset, columns, `staging.${dataset}`);
  if (AUTHORITY_DATASETS.includes(dataset)) {
    await dynamic(
      client,
      `INSERT INTO touched_docket (docket) SELECT DISTINCT docket FROM ${dataset} WHERE docket IS NOT NULL`,
    );
  }
  if (dataset === "motus_authhist") {
    await sql.recordAllHistory.run(client);
  }
  return { inserted, updated: 0, deleted: 0 };
}

async function mergeInto(
  client: pg.ClientBase,
  dataset: Dataset,
  columns: readonly string[],
  differenceKeys: readonly RemovalKey[] | null,
): Promise<Changes> {
  if (dataset === "census") {
    await analyze(client, "staging.census (usdot)");
    return mergeCensus(client, columns);
  }
  if (differenceKeys === null) {
    await analyze(client, `staging.${dataset} (row_id)`);
    return mergeRows(client, dataset, columns, "true");
  }
  await analyze(client, `staging.${dataset}`);
  await putRemovalKeys(client, differenceKeys);
  return mergeRows(client, dataset, columns, deletedByDifference(dataset));
}

/**
 * Opens the tables in which merges keep the rows that they insert and delete. They belong to the session, and each commit
 * empties them. An import opens them before its transaction and closes them after it: a commit tells every connection
 * about each table and column that it made or dropped, and one that is told of thousands at once reads its catalogs anew.
 */
export async function openKeptRows(client: pg.ClientBase): Promise<void> {
  const tables = [...ROWS_KEPT].map(
    (table) =>
      `CREATE TEMP TABLE IF NOT EXISTS inserted_${table} (row_id uuid PRIMARY KEY) ON COMMIT DELETE ROWS;
       CREATE TEMP TABLE IF NOT EXISTS deleted_${table} (LIKE ${table}) ON COMMIT DELETE ROWS`,
  );
  await dynamic(client, tables.join(";\n"));
}

/** Drops the tables of openKeptRows. */
export async function closeKeptRows(client: pg.ClientBase): Promise<void> {
  const tables = [...ROWS_KEPT].flatMap((table) => [`inserted_${table}`, `deleted_${table}`]);
  await dynamic(client, `DROP TABLE IF EXISTS ${tables.map((table) => `pg_temp.${table}`)}`);
}

/** Must run once in the transaction before the first merge. */
export async function openTouchedDockets(client: pg.ClientBase): Promise<void> {
  await openKeptRows(client);
  await sql.openTouchedDockets.run(client);
}

async function putRemovalKeys(client: pg.ClientBase, removalKeys: readonly RemovalKey[]): Promise<void> {
  await sql.putRemovalKeys.run(client, {
    dockets: removalKeys.map(({ docket }) => docket),
    usdots: removalKeys.map(({ usdot }) => usdot),
    opAuthTypes: removalKeys.map(({ opAuthType }) => opAuthType),
  });
}

/** The SQL condition on stored rows that a daily difference deletes unless it has them too. */
function deletedByDifference(dataset: Dataset): string {
  const hasType = !["motus_insur", "motus_inshist", "motus_boc3"].includes(dataset);
  const isRemoved = `EXISTS (
      SELECT FROM removal_key AS removal
      WHERE (removal.docket IS NULL OR removal.docket = stored.docket)
        AND (removal.usdot IS NULL OR stored.usdot IS NULL OR removal.usdot = stored.usdot)
        ${hasType ? "AND removal.op_auth_type IN ('', stored.op_auth_type)" : ""})`;
  if (dataset !== "motus_carrier") return isRemoved;
  // An authority has one row, so a new row of it replaces the stored one.
  return `(${isRemoved} OR EXISTS (
      SELECT FROM staging.motus_carrier AS now
      WHERE now.docket = stored.docket AND now.usdot = stored.usdot AND now.op_auth_type = stored.op_auth_type))`;
}

// These files have no key: row_id is the hash of a row's content, so rows are only inserted or deleted. `isDeleted` is
// the SQL condition on stored rows that are deleted if they are not staged.
async function mergeRows(
  client: pg.ClientBase,
  dataset: Exclude<Dataset, "census">,
  columns: readonly string[],
  isDeleted: string,
): Promise<Changes> {
  const names = columns.join(", ");
  const about = aboutOf(dataset);
  const { rows } = await dynamic(
    client,
    `
    WITH deleted AS (
      DELETE FROM ${dataset} AS stored
      WHERE NOT EXISTS (SELECT FROM staging.${dataset} AS staged WHERE staged.row_id = stored.row_id) AND ${isDeleted}
      RETURNING ${columns.map((column) => `stored.${column}`)}
    ), inserted AS (
      INSERT INTO ${dataset} (${names})
      SELECT ${names} FROM staging.${dataset} AS staged
      WHERE NOT EXISTS (SELECT FROM ${dataset} AS stored WHERE stored.row_id = staged.row_id)
      RETURNING ${["row_id", ...about]}
    )
    ${about.length > 0 ? `, touched AS (${touchDockets(about)})` : ""}
    ${dataset === "motus_authhist" ? keepRows("new_authhist", "deleted_authhist", names) : ""}
    ${ROWS_KEPT.has(dataset) ? keepRows(`inserted_${dataset}`, `deleted_${dataset}`, names) : ""}
    SELECT (SELECT count(*)::int FROM inserted) AS inserted, (SELECT count(*)::int FROM deleted) AS deleted`,
  );
  const [{ inserted, deleted }] = rows as [{ inserted: number; deleted: number }];
  return { inserted, updated: 0, deleted };
}

/** The columns that say which authorities a row gives the state of. An order without a docket is about its company. */
function aboutOf(dataset: Dataset): readonly string[] {
  if (!AUTHORITY_DATASETS.includes(dataset)) return [];
  return dataset === "motus_revokesuspend" ? ["docket", "usdot"] : ["docket"];
}

/** Touches the dockets of the rows that a merge inserted and deleted. */
function touchDockets(about: readonly string[]): string {
  const changed = `(SELECT ${about} FROM deleted UNION SELECT ${about} FROM inserted) AS changed`;
  const ofCompanies = about.includes("usdot")
    ? `UNION SELECT authority.docket FROM ${changed} JOIN authority USING (usdot) WHERE changed.docket IS NULL`
    : "";
  return `INSERT INTO touched_docket (docket)
      SELECT docket FROM ${changed} WHERE docket IS NOT NULL ${ofCompanies}`;
}

/** Writes the rows that a merge inserted and deleted into these tables. */
const keepRows = (insertedTable: string, deletedTable: string, names: string): string =>
  `, to_${insertedTable} AS (INSERT INTO ${insertedTable} (row_id) SELECT row_id FROM inserted),
    to_${deletedTable} AS (INSERT INTO ${deletedTable} (${names}) SELECT ${names} FROM deleted)`;

// The files are compared only once: about a hundredth of the rows is inserted, updated or deleted.
async function mergeCensus(client: pg.ClientBase, columns: readonly string[]): Promise<Changes> {
  const columnsOf = (row: string) => columns.map((column) => `${row}.${column}`).join(", ");
  const columnsNow = columns.map((column) => `now_${column}`).join(", ");
  await dynamic(
    client,
    `
    DROP TABLE IF EXISTS census_change;
    CREATE TEMP TABLE census_change ON COMMIT DROP AS
    SELECT coalesce(staged.usdot, stored.usdot) AS changed_usdot, staged.usdot IS NULL AS is_deleted,
      stored.usdot IS NULL AS is_inserted, stored.*, ${columns.map((column) => `staged.${column} AS now_${column}`)}
    FROM staging.census AS staged FULL JOIN census AS stored ON stored.usdot = staged.usdot
    WHERE staged.usdot IS NULL OR stored.usdot IS NULL OR ROW (${columnsOf("stored")}) IS DISTINCT FROM ROW (${columnsOf("staged")});
    ANALYZE census_change`,
  );
  const { rows } = await dynamic(
    client,
    `
    WITH deleted AS (
      DELETE FROM census AS stored USING census_change WHERE stored.usdot = changed_usdot AND is_deleted RETURNING 1
    ), updated AS (
      UPDATE census AS stored SET (${columns}) = ROW (${columnsNow})
      FROM census_change WHERE stored.usdot = changed_usdot AND NOT is_deleted AND NOT is_inserted RETURNING 1
    ), inserted AS (
      INSERT INTO census (${columns}) SELECT ${columnsNow} FROM census_change WHERE is_inserted RETURNING 1
    )
    SELECT (SELECT count(*)::int FROM inserted) AS inserted, (SELECT count(*)::int FROM updated) AS updated,
      (SELECT count(*)::int FROM deleted) AS deleted`,
  );
  const [changes] = rows as [Changes];
  return changes;
}
