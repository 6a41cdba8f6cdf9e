import type pg from "pg";
import * as sql from "../../generated/sql/registry/merge.ts";
import { analyze, dynamic } from "../../platform/database/statement.ts";
import { ROWS_KEPT } from "../changes/change-statement.ts";
import type { Dataset } from "../datasets.ts";
import { canBeFilled, fillTable } from "./fill-table.ts";
import {
  AUTHORITY_DATASETS,
  compareCensus,
  mergeCensusStatement,
  mergeStatement,
} from "./merge-statements.ts";

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

/** The rows of a dataset's file in a staging table. */
export interface StagedRows {
  dataset: Dataset;
  /** The staging table, with its schema. */
  table: string;
  /** The columns that the file fills, row_id among them if the rows have no key. */
  columns: readonly string[];
  /** The keys whose stored rows a daily difference deletes. Null for a whole file, which deletes all rows that it lacks. */
  removalKeys: readonly RemovalKey[] | null;
}

/**
 * Merges staged rows into their dataset's table and writes only the rows that differ. A daily difference never deletes
 * rows merely missing from it. Runs in the caller's transaction, and adds to these temporary tables:
 * - touched_docket: the dockets whose authorities may have changed, some of them more than once;
 * - new_authhist and deleted_authhist: the rows of Motus AuthHist that were inserted and deleted;
 * - new_company: the USDOT numbers that a census got which was not empty;
 * - inserted_… and deleted_…: such rows of every recorded table, for recordChanges;
 * - census_change: the rows of the census that differ, before and after (now_…).
 */
export async function mergeDataset(client: pg.ClientBase, staged: StagedRows): Promise<Changes> {
  const changes = (await canBeFilled(client, staged.dataset, staged.table))
    ? await fillDataset(client, staged)
    : await mergeInto(client, staged);
  await analyzeAfter(client, staged.dataset, changes);
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

/** Copies all staged rows of a dataset into its empty table. */
async function fillDataset(client: pg.ClientBase, { dataset, table, columns }: StagedRows): Promise<Changes> {
  const inserted = await fillTable(client, dataset, columns, table);
  if (AUTHORITY_DATASETS.includes(dataset)) {
    await dynamic(
      client,
      `INSERT INTO touched_docket (docket) SELECT DISTINCT docket FROM ${dataset} WHERE docket IS NOT NULL`,
    );
  }
  if (dataset === "motus_authhist") await sql.recordAllHistory(client);
  return { inserted, updated: 0, deleted: 0 };
}

async function mergeInto(client: pg.ClientBase, staged: StagedRows): Promise<Changes> {
  const { dataset, table, removalKeys } = staged;
  if (dataset === "census") {
    await analyze(client, `${table} (usdot)`);
    await dynamic(client, compareCensus(staged));
    return changesOf(client, mergeCensusStatement(staged));
  }
  await analyze(client, removalKeys === null ? `${table} (row_id)` : table);
  if (removalKeys !== null) {
    await sql.putRemovalKeys(client, {
      dockets: removalKeys.map(({ docket }) => docket),
      usdots: removalKeys.map(({ usdot }) => usdot),
      opAuthTypes: removalKeys.map(({ opAuthType }) => opAuthType),
    });
  }
  return changesOf(client, mergeStatement(staged));
}

async function changesOf(client: pg.ClientBase, statement: string): Promise<Changes> {
  const { rows } = await dynamic(client, statement);
  const [changes] = rows as [Changes];
  return changes;
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
  await sql.openTouchedDockets(client);
}
