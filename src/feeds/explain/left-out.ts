import type pg from "pg";
import { loadSql } from "../../platform/database/sql.ts";
import type { FeedCode } from "../catalogue.ts";
import { FEED_RULES, firstFailure } from "./rules.ts";

const candidates = loadSql(import.meta.url, "candidate.sql");

/**
 * How many authorities of the feed's classes each rule kept out of a version of `rows` rows: the first rule that
 * fails counts, so that all of them and the rows together are all the authorities. Runs while the temporary tables
 * of the version's as-of day stand.
 */
export async function countLeftOut(
  client: pg.ClientBase,
  feed: FeedCode,
  rows: number,
): Promise<Record<string, number>> {
  const feedRules = FEED_RULES[feed];
  const { rows: counted } = await client.query<{ rule: string | null; count: number }>(
    `SELECT ${firstFailure(feedRules)} AS rule, count(*)::int AS count
     FROM (${candidates}) AS candidate
     WHERE authority_class = ANY ($1) GROUP BY rule`,
    [feedRules.classes],
  );
  const passed = counted.find(({ rule }) => rule === null)?.count ?? 0;
  const leftOut = feedRules.rules.flatMap(({ name }) => {
    const found = counted.find(({ rule }) => rule === name);
    return found ? [[name, found.count] as const] : [];
  });
  const notTaken = feedRules.onePer && passed > rows ? [[feedRules.onePer.name, passed - rows] as const] : [];
  return Object.fromEntries([...leftOut, ...notTaken]);
}
