// The SQL of merging a dataset's staged rows into its table.
import { ROWS_KEPT } from "../changes/change-statement.ts";
import type { Dataset } from "../datasets.ts";
import type { StagedRows } from "./merge.ts";

/** The datasets that give the state of authorities. Policies do not. */
export const AUTHORITY_DATASETS: readonly Dataset[] = [
  "motus_carrier",
  "motus_authhist",
  "motus_revokesuspend",
  "legacy_carrier",
  "legacy_authhist",
];

/**
 * Merges the rows of a file without a key. row_id is the hash of a row's content, so rows are only inserted or deleted.
 * Returns the number of each.
 */
export function mergeStatement(staged: StagedRows): string {
  const { dataset, table, columns } = staged;
  const names = columns.join(", ");
  const about = aboutOf(dataset);
  return `
    WITH deleted AS (
      DELETE FROM ${dataset} AS stored
      WHERE NOT EXISTS (SELECT FROM ${table} AS staged WHERE staged.row_id = stored.row_id) AND ${isDeleted(staged)}
      RETURNING ${columns.map((column) => `stored.${column}`)}
    ), inserted AS (
      INSERT INTO ${dataset} (${names})
      SELECT ${names} FROM ${table} AS staged
      WHERE NOT EXISTS (SELECT FROM ${dataset} AS stored WHERE stored.row_id = staged.row_id)
      RETURNING ${["row_id", ...about]}
    )
    ${about.length > 0 ? `, touched AS (${touchDockets(about)})` : ""}
    ${dataset === "motus_authhist" ? keepRows("new_authhist", "deleted_authhist", names) : ""}
    ${ROWS_KEPT.has(dataset) ? keepRows(`inserted_${dataset}`, `deleted_${dataset}`, names) : ""}
    SELECT (SELECT count(*)::int FROM inserted) AS inserted, 0 AS updated,
      (SELECT count(*)::int FROM deleted) AS deleted`;
}

/**
 * The SQL condition on stored rows that are deleted if they are not staged. A key is a docket or, without one, a company: then
 * rows without a docket are meant.
 */
function isDeleted({ dataset, table, removalKeys }: StagedRows): string {
  if (removalKeys === null) return "true";
  const hasType = !["motus_insur", "motus_inshist", "motus_boc3"].includes(dataset);
  const isUnderAnother = ["motus_authhist", "motus_insur", "motus_inshist"].includes(dataset);
  const named = isUnderAnother ? "coalesce(stored.named_docket, stored.docket)" : "stored.docket";
  const isRemoved = `EXISTS (
      SELECT FROM removal_key AS removal
      WHERE removal.docket IS NOT DISTINCT FROM ${named}
        AND (removal.usdot = stored.usdot OR removal.docket IS NOT NULL AND (removal.usdot IS NULL OR stored.usdot IS NULL))
        ${hasType ? "AND removal.op_auth_type IN ('', stored.op_auth_type)" : ""})`;
  if (dataset !== "motus_carrier") return isRemoved;
  // An authority has one row, so a new row of it replaces the stored one, also where one of them has a short form of the type,
  // or the stored one had no docket yet, or had it with the other prefix.
  return `(${isRemoved} OR EXISTS (
      SELECT FROM ${table} AS now
      WHERE stored.docket IN (now.docket, other_prefix(now.docket), 'DOT' || now.usdot) AND now.usdot = stored.usdot
        AND (starts_with(upper(now.op_auth_type), upper(stored.op_auth_type))
          OR starts_with(upper(stored.op_auth_type), upper(now.op_auth_type)))))`;
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

/**
 * Makes the table census_change: the rows that differ, before and after (now_…), with the place of the staged row. The files are compared only once, since
 * about a hundredth of the rows is inserted, updated or deleted.
 */
export function compareCensus({ table, columns }: StagedRows): string {
  const columnsOf = (row: string) => columns.map((column) => `${row}.${column}`).join(", ");
  return `
    DROP TABLE IF EXISTS census_change;
    CREATE TEMP TABLE census_change ON COMMIT DROP AS
    SELECT coalesce(staged.usdot, stored.usdot) AS changed_usdot, staged.usdot IS NULL AS is_deleted,
      stored.usdot IS NULL AS is_inserted, staged.ctid AS now_place, stored.*, ${columns.map((column) => `staged.${column} AS now_${column}`)}
    FROM ${table} AS staged FULL JOIN census AS stored ON stored.usdot = staged.usdot
    WHERE staged.usdot IS NULL OR stored.usdot IS NULL OR ROW (${columnsOf("stored")}) IS DISTINCT FROM ROW (${columnsOf("staged")});
    ANALYZE census_change`;
}

/** Writes the rows of census_change into the census, and notes the new companies. Returns how many were inserted, updated and deleted. */
export function mergeCensusStatement({ columns }: StagedRows): string {
  const columnsNow = columns.map((column) => `now_${column}`).join(", ");
  return `
    WITH deleted AS (
      DELETE FROM census AS stored USING census_change WHERE stored.usdot = changed_usdot AND is_deleted RETURNING 1
    ), updated AS (
      UPDATE census AS stored SET (${columns}) = ROW (${columnsNow})
      FROM census_change WHERE stored.usdot = changed_usdot AND NOT is_deleted AND NOT is_inserted RETURNING 1
    ), inserted AS (
      INSERT INTO census (${columns}) SELECT ${columnsNow} FROM census_change WHERE is_inserted RETURNING usdot
    ), added AS (
      INSERT INTO new_company (usdot) SELECT usdot FROM inserted
    )
    SELECT (SELECT count(*)::int FROM inserted) AS inserted, (SELECT count(*)::int FROM updated) AS updated,
      (SELECT count(*)::int FROM deleted) AS deleted`;
}
