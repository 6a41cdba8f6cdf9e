import type pg from "pg";
import { dynamic } from "../../platform/database/statement.ts";
import type { Dataset } from "../datasets.ts";
import { COLUMN_JUMPS } from "../vocabularies/senses.ts";
import type { StagedRows } from "./merge.ts";

/** By column, in how many of the rows that were stored before, too, a merge changed the value. */
export type ColumnChanges = Record<string, number>;

/** A value that a merge changed: of a company, or of a docket if its row names none. */
export interface ChangedValue {
  usdot: number | null;
  docket: string | null;
  before: string | null;
  now: string | null;
}

/** The rows that a merge replaced by others with the same key, and the changes of their columns. */
interface ReplacedRows {
  replaced: number;
  changed: ColumnChanges;
}

/** Whether the rows of a dataset have a key (senses.yaml), so that a changed one is found again. */
export const hasKey = (dataset: Dataset): boolean => COLUMN_JUMPS.datasets[dataset] !== undefined;

/**
 * Counts the changed values of each column of a dataset with a key, from the rows that the merge kept: the files are not
 * compared again.
 */
export async function countColumnChanges(client: pg.ClientBase, staged: StagedRows): Promise<ReplacedRows> {
  const { wordings = [] } = COLUMN_JUMPS.datasets[staged.dataset] ?? {};
  const columns = staged.columns.filter((column) => ![...wordings, "row_id"].includes(column));
  const counts = columns.map(
    (column) => `count(*) FILTER (WHERE ${differs(staged.dataset, column)})::int AS ${column}`,
  );
  const { rows } = await dynamic(
    client,
    `SELECT count(*)::int AS replaced, ${counts.join(", ")} ${changedRows(staged)}`,
  );
  const [{ replaced, ...found }] = rows as [{ replaced: number } & ColumnChanges];
  return { replaced, changed: Object.fromEntries(Object.entries(found).filter(([, count]) => count > 0)) };
}

/** The first few values of a column that the merge changed. */
export async function findChangedValues(
  client: pg.ClientBase,
  staged: StagedRows,
  column: string,
  most: number,
): Promise<ChangedValue[]> {
  const [before, now] = sidesOf(staged.dataset);
  const hasDocket = staged.columns.includes("docket");
  const { rows } = await dynamic(
    client,
    `SELECT ${now("usdot")} AS usdot, ${hasDocket ? now("docket") : "NULL::text"} AS docket,
       ${before(column)}::text AS before, ${now(column)}::text AS now
     ${changedRows(staged)} AND ${differs(staged.dataset, column)} ORDER BY 1, 2, 3, 4 LIMIT $1`,
    [most],
  );
  return rows as ChangedValue[];
}

type Side = (column: string) => string;

/** How the statements name a column of a row before and after the merge. */
const sidesOf = (dataset: Dataset): [before: Side, now: Side] =>
  dataset === "census"
    ? [(column) => `census_change.${column}`, (column) => `census_change.now_${column}`]
    : [(column) => `before.${column}`, (column) => `now.${column}`];

function differs(dataset: Dataset, column: string): string {
  // Texts by their letters and digits: another case or punctuation is no other value.
  const [before, now] = sidesOf(dataset).map(
    (side) => `upper(regexp_replace(${side(column)}::text, '[^[:alnum:]]', '', 'g'))`,
  );
  return `${before} IS DISTINCT FROM ${now}`;
}

/** The FROM and WHERE of the rows that differ, each before and after. */
function changedRows({ dataset, columns }: StagedRows): string {
  const { key = [] } = COLUMN_JUMPS.datasets[dataset] ?? {};
  if (dataset === "census") return "FROM census_change WHERE NOT is_deleted AND NOT is_inserted";
  // Texts without null, so that PostgreSQL can hash them.
  const parts = key.map((name) => `coalesce(${name}::text, '')`).join(" || ' ' || ");
  const numbered = (rows: string) =>
    `SELECT *, row_number() OVER (PARTITION BY row_key ORDER BY ${columns.filter((name) => name !== "row_id")}) AS number
     FROM (SELECT *, ${parts} AS row_key FROM ${rows}) AS keyed`;
  return `
    FROM (${numbered(`deleted_${dataset}`)}) AS before
    JOIN (${numbered(`inserted_${dataset} JOIN ${dataset} USING (row_id)`)}) AS now USING (row_key, number)
    WHERE true`;
}
