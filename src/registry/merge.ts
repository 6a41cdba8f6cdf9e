import type pg from "pg";
import { analyze, dynamic } from "../platform/database/statement.ts";
import { type Dataset, isDifferenceOf } from "./datasets.ts";
import { canBeFilled, fillTable } from "./fill-table.ts";
import * as sql from "./statements.ts";

/** How many rows of a table a merge inserted, updated and deleted. */
export interface Changes {
  inserted: number;
  updated: number;
  deleted: number;
}

/** A row of a daily difference that is blank except for its key: it removes all rows stored under the key. */
export interface Removal {
  docket: string | null;
  usdot: number | null;
  /** Empty if the key names none. */
  opAuthType: string;
}

export interface MergeOptions {
  isDifference?: boolean;
  unchanged?: ReadonlySet<Dataset>;
  removals?: ReadonlyMap<Dataset, readonly Removal[]>;
}

/**
 * Merges a dataset's staged rows into its table and writes only the rows that differ. `columns` are the columns that
 * staged rows fill. A whole file deletes the stored rows that it does not have. A difference file never deletes rows
 * merely missing from it, only rows that it names. An unchanged dataset is not staged and stays as it is. The temporary
 * table touched_docket gets the dockets whose authorities may have changed, some of them more than once. The tables
 * new_authhist and gone_authhist get the rows of Motus AuthHist that were inserted and deleted. Runs in the caller's
 * transaction.
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
  // Later statements of this transaction join tables that may have been empty. Without statistics they take minutes.
  if (changes.inserted + changes.deleted > 0) await analyze(client, dataset);
  return changes;
}

/** The datasets that give the state of authorities. Policies do not. */
const OF_AUTHORITIES: readonly Dataset[] = [
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
  if (OF_AUTHORITIES.includes(dataset)) {
    await dynamic(
      client,
      `INSERT INTO touched_docket (docket) SELECT DISTINCT docket FROM ${dataset} WHERE docket IS NOT NULL`,
    );
  }
  if (dataset === "motus_authhist") {
    await sql.noteAllHistory.run(client);
  }
  return { inserted, updated: 0, deleted: 0 };
}

async function mergeInto(
  client: pg.ClientBase,
  dataset: Dataset,
  columns: readonly string[],
  takenBack: readonly Removal[] | null,
): Promise<Changes> {
  await analyze(client, `staging.${dataset}`);
  if (dataset === "census") return mergeCensus(client, columns);
  if (takenBack === null) return mergeRows(client, dataset, columns, "true");
  await openTakenBack(client, takenBack);
  return mergeRows(client, dataset, columns, goneByDifference(dataset));
}

/** Must run once in the transaction before the first merge. */
export async function openTouchedDockets(client: pg.ClientBase): Promise<void> {
  await sql.openTouchedDockets.run(client);
}

async function openTakenBack(client: pg.ClientBase, removals: readonly Removal[]): Promise<void> {
  await sql.dropTakenBack.run(client);
  await sql.openTakenBack.run(client, {
    dockets: removals.map(({ docket }) => docket),
    usdots: removals.map(({ usdot }) => usdot),
    opAuthTypes: removals.map(({ opAuthType }) => opAuthType),
  });
}

/** The SQL condition on stored rows that a daily difference deletes unless it has them too. */
function goneByDifference(dataset: Dataset): string {
  const hasType = !["motus_insur", "motus_inshist"].includes(dataset);
  const isTakenBack = `EXISTS (
      SELECT FROM taken_back AS back
      WHERE (back.docket IS NULL OR back.docket = stored.docket)
        AND (back.usdot IS NULL OR stored.usdot IS NULL OR back.usdot = stored.usdot)
        ${hasType ? "AND back.op_auth_type IN ('', stored.op_auth_type)" : ""})`;
  if (dataset !== "motus_carrier") return isTakenBack;
  // An authority has one row, so a new row of it replaces the stored one.
  return `(${isTakenBack} OR EXISTS (
      SELECT FROM staging.motus_carrier AS now
      WHERE now.docket = stored.docket AND now.usdot = stored.usdot AND now.op_auth_type = stored.op_auth_type))`;
}

// These files have no key: row_id is the hash of a row's content, so rows are only inserted or deleted. `gone` is the
// SQL condition on stored rows that are deleted if they are not staged.
async function mergeRows(
  client: pg.ClientBase,
  dataset: Exclude<Dataset, "census">,
  columns: readonly string[],
  gone: string,
): Promise<Changes> {
  const names = columns.join(", ");
  const isHistory = dataset === "motus_authhist";
  // An order without a docket is about all dockets of its company.
  const usdot = dataset === "motus_revokesuspend" ? ", usdot" : "";
  const { rows } = await dynamic(
    client,
    `
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
    SELECT (SELECT count(*)::int FROM come) AS inserted, (SELECT count(*)::int FROM gone) AS deleted`,
  );
  const [{ inserted, deleted }] = rows as [{ inserted: number; deleted: number }];
  return { inserted, updated: 0, deleted };
}

async function mergeCensus(client: pg.ClientBase, columns: readonly string[]): Promise<Changes> {
  const columnsOf = (row: string) => columns.map((column) => `${row}.${column}`).join(", ");
  // The files are compared only once: about a hundredth of the rows is inserted, updated or deleted.
  await dynamic(
    client,
    `
    DROP TABLE IF EXISTS census_change;
    CREATE TEMP TABLE census_change ON COMMIT DROP AS
    SELECT coalesce(staged.usdot, stored.usdot) AS of_usdot, staged.usdot IS NULL AS goes, stored.usdot IS NULL AS comes
    FROM staging.census AS staged FULL JOIN census AS stored ON stored.usdot = staged.usdot
    WHERE staged.usdot IS NULL OR stored.usdot IS NULL OR ROW (${columnsOf("stored")}) IS DISTINCT FROM ROW (${columnsOf("staged")});
    ANALYZE census_change`,
  );
  const { rows } = await dynamic(
    client,
    `
    WITH gone AS (
      DELETE FROM census AS stored USING census_change WHERE stored.usdot = of_usdot AND goes RETURNING 1
    ), changed AS (
      UPDATE census AS stored SET (${columns}) = ROW (${columnsOf("now")})
      FROM staging.census AS now JOIN census_change ON of_usdot = now.usdot AND NOT goes AND NOT comes
      WHERE stored.usdot = now.usdot RETURNING 1
    ), come AS (
      INSERT INTO census (${columns})
      SELECT ${columnsOf("now")} FROM staging.census AS now JOIN census_change ON of_usdot = now.usdot AND comes
      RETURNING 1
    )
    SELECT (SELECT count(*)::int FROM come) AS inserted, (SELECT count(*)::int FROM changed) AS updated,
      (SELECT count(*)::int FROM gone) AS deleted`,
  );
  const [changes] = rows as [Changes];
  return changes;
}
