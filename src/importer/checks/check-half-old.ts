import type pg from "pg";
import * as sql from "../../generated/sql/importer/checks.ts";
import { dynamic } from "../../platform/database/statement.ts";
import { ROWS_KEPT } from "../../registry/changes/change-statement.ts";
import type { Dataset } from "../../registry/datasets.ts";
import { titleOf } from "../official/official-files.ts";
import type { Complaint } from "./complaint.ts";

/** New rows of a file, counted in each tenth of it. */
export type NewRows = Partial<Record<Dataset, number[]>>;

const PARTS = 10;
const RUNS_COMPARED = 10;
/** With fewer imports before, nobody knows where in a file its new rows usually are. */
const FEWEST_RUNS = 5;
/** By chance, a stretch that should have this many new rows has none about once in a million files. */
const LEAST_EXPECTED = 14;
/** The share of what a day brings that may be withdrawn within a few days. */
const MOST_TAKEN_BACK = 0.25;

/** Counts where in a merged whole file the rows are that the last one did not have. Null for a file that is not compared. */
export async function newRowsOf(client: pg.ClientBase, dataset: Dataset): Promise<number[] | null> {
  if (!ROWS_KEPT.has(dataset)) return null;
  // Staging tables are filled in the order of the file, so the page of a row tells its place.
  const { rows } = await dynamic(
    client,
    `WITH size AS (
       SELECT greatest(pg_relation_size('staging.${dataset}') / current_setting('block_size')::int, 1) AS pages)
     SELECT least(floor((staged.ctid::text::point)[0] * ${PARTS} / pages), ${PARTS - 1})::int AS part, count(*)::int AS rows
     FROM staging.${dataset} AS staged JOIN inserted_${dataset} USING (row_id) CROSS JOIN size GROUP BY part`,
  );
  const found = rows as { part: number; rows: number }[];
  return Array.from({ length: PARTS }, (_, index) => found.find(({ part }) => part === index)?.rows ?? 0);
}

/**
 * The files that may lose many old rows at once: the column that tells the new ones, and how many of these make a
 * complaint. InsHist hardly ever loses a new row. Of other files check-lost-rows.ts misses every row.
 */
const MAY_LOSE_OLD: Partial<Record<Dataset, { dated: string; fewest: number }>> = {
  motus_insur: { dated: "filed_on", fewest: 10 },
  motus_inshist: { dated: "cancelled_on", fewest: 4 },
};
const DAYS_COMPARED = 7;

/**
 * Complains about files of which a part is that of an earlier day. Runs after the merges, in their transaction. `asOf` is
 * the registry's day before; null before the first import.
 */
export async function halfOldComplaints(
  client: pg.ClientBase,
  newRows: NewRows,
  asOf: string | null,
): Promise<Complaint[]> {
  if (asOf === null) return [];
  const runs = await sql.lastNewRows(client, { limit: RUNS_COMPARED });
  const complaints: Complaint[] = [];
  for (const [dataset, now] of Object.entries(newRows) as [Dataset, number[]][]) {
    const before = runs.flatMap((run) => (run.newRows?.[dataset] ? [run.newRows[dataset]] : []));
    if (before.length === 0) continue;
    const usual = now.map((_, part) => sum(before.map((counts) => counts[part] ?? 0)));
    const sentence =
      (before.length < FEWEST_RUNS ? null : withoutNews(now, usual)) ??
      (await takenBack(client, dataset, { usual: sum(usual) / before.length, asOf }));
    if (sentence !== null) complaints.push([`half-old:${dataset}`, `${titleOf(dataset)} ${sentence}`]);
  }
  return complaints;
}

/** What is wrong when the first or the last parts of a file have no new row, although they usually have many. */
function withoutNews(now: readonly number[], usual: readonly number[]): string | null {
  for (let parts = 1; parts < PARTS; parts += 1) {
    for (const [place, from, to] of [
      ["first", 0, parts],
      ["last", PARTS - parts, PARTS],
    ] as const) {
      const expected = (sum(now) * sum(usual.slice(from, to))) / Math.max(sum(usual), 1);
      if (expected < LEAST_EXPECTED || sum(now.slice(from, to)) > 0) continue;
      return (
        `has ${sum(now)} new rows, but none in the ${place} ${parts * PARTS} % of the file, where about ` +
        `${Math.round(expected)} are usual: a part of the file is old`
      );
    }
  }
  return null;
}

/** What is wrong when many of the rows that the last days brought are gone, and not only corrected. */
async function takenBack(
  client: pg.ClientBase,
  dataset: Dataset,
  { usual, asOf }: { usual: number; asOf: string },
): Promise<string | null> {
  const limit = MAY_LOSE_OLD[dataset];
  if (limit === undefined) return null;
  const { dated, fewest } = limit;
  const { rows } = await dynamic(
    client,
    `SELECT count(*)::int AS gone FROM deleted_${dataset} AS gone
     WHERE ${dated} > $1::date - ${DAYS_COMPARED} AND NOT EXISTS (
       SELECT FROM ${dataset} AS stored
       WHERE stored.docket = gone.docket AND stored.type_code = gone.type_code AND stored.${dated} = gone.${dated})`,
    [asOf],
  );
  const [{ gone }] = rows as [{ gone: number }];
  if (gone < fewest || gone <= usual * MOST_TAKEN_BACK) return null;
  return `no longer has ${gone} rows of the last days, where a day brings about ${Math.round(usual)}: a part of the file is old`;
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
