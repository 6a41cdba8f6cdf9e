import type pg from "pg";
import * as sql from "../../generated/sql/importer/checks.ts";
import { dynamic } from "../../platform/database/statement.ts";
import type { Dataset } from "../../registry/datasets.ts";
import { titleOf } from "../official/official-files.ts";
import type { Complaint } from "./complaint.ts";
import { type AddedRows, PARTS, RUNS_COMPARED } from "./former-rows.ts";

/** New rows of a file, counted in each tenth of it: those that none of the last imports had. */
export type NewRows = Partial<Record<Dataset, number[]>>;

/** With fewer imports before, nobody knows where in a file its new rows usually are. */
const FEWEST_RUNS = 5;
/** By chance, a stretch that should have this many new rows has none about once in a million files. */
const LEAST_EXPECTED = 14;
/** The share of what a day brings that may be withdrawn within a few days. */
const MOST_TAKEN_BACK = 0.25;
/** Fewer rows than this, or a smaller share of the added ones, may be as they were some imports ago. */
const RETURNED = { fewest: 10, least: 0.25 };

/**
 * The files that tell of days: the column with the day of a row, the columns by which a corrected row is found again, and
 * how many rows of the last days must be gone for a complaint. The histories hardly ever lose a new row.
 */
const DATED: Partial<Record<Dataset, { dated: string; key: readonly string[]; fewest: number }>> = {
  motus_insur: { dated: "filed_on", key: ["docket", "type_code"], fewest: 4 },
  motus_inshist: { dated: "cancelled_on", key: ["docket", "type_code"], fewest: 2 },
  motus_authhist: { dated: "changed_on", key: ["docket", "authority_class"], fewest: 2 },
  motus_revokesuspend: { dated: "served_on", key: ["docket", "usdot", "authority_class"], fewest: 2 },
  oos_order: { dated: "ordered_on", key: ["usdot"], fewest: 2 },
};
const DAYS_COMPARED = 7;

/**
 * Complains about files of which a part is that of an earlier day. Runs after the merges, in their transaction. `asOf` is
 * the registry's day before; null before the first import.
 */
export async function halfOldComplaints(
  client: pg.ClientBase,
  added: ReadonlyMap<Dataset, AddedRows>,
  asOf: string | null,
): Promise<Complaint[]> {
  if (asOf === null) return [];
  const runs = await sql.lastNewRows(client, { limit: RUNS_COMPARED });
  const complaints: Complaint[] = [];
  for (const [dataset, { newRows, returned }] of added) {
    const before = runs.flatMap((run) => (run.newRows?.[dataset] ? [run.newRows[dataset]] : []));
    if (before.length === 0) continue;
    const usual = newRows.map((_, part) => sum(before.map((counts) => counts[part] ?? 0)));
    const sentence =
      asBefore(returned, sum(newRows)) ??
      (before.length < FEWEST_RUNS ? null : withoutNews(newRows, usual)) ??
      (await takenBack(client, dataset, { usual: sum(usual) / before.length, asOf }));
    if (sentence !== null)
      complaints.push([`half-old:${dataset}`, `${titleOf(dataset)} ${sentence}: a part of the file is old`]);
  }
  return complaints;
}

/** What is wrong when many rows are again what they were before the last import. */
function asBefore(returned: number, added: number): string | null {
  const all = returned + added;
  if (returned < RETURNED.fewest || returned < all * RETURNED.least) return null;
  return `has ${all} rows that the last import did not have, but ${returned} of them are those of an earlier import`;
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
        `has ${sum(now)} new rows, but none in the ${place} ${parts * PARTS}% of the file, where about ` +
        `${Math.round(expected)} are usual`
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
  const limit = DATED[dataset];
  if (limit === undefined) return null;
  const { dated, key, fewest } = limit;
  const isSame = [...key, dated].map((name) => `stored.${name} IS NOT DISTINCT FROM gone.${name}`);
  const { rows } = await dynamic(
    client,
    `SELECT count(*)::int AS gone FROM deleted_${dataset} AS gone
     WHERE ${dated} > $1::date - ${DAYS_COMPARED} AND NOT EXISTS (SELECT FROM ${dataset} AS stored WHERE ${isSame.join(" AND ")})`,
    [asOf],
  );
  const [{ gone }] = rows as [{ gone: number }];
  if (gone < fewest || gone <= usual * MOST_TAKEN_BACK) return null;
  return `no longer has ${gone} rows of the last days, where a day brings about ${Math.round(usual)}`;
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
