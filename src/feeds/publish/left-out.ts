import type pg from "pg";
import { dynamic } from "../../platform/database/statement.ts";
import { type FeedRules, firstFailure, isOfFeed } from "../rules/rule.ts";

/**
 * How many authorities of the feed's classes are not among a version's `rows` rows, by the name of the first rule that
 * they fail. These counts and the rows add up to all authorities of the classes. Needs the temporary table of
 * openCandidates as of the version's day.
 */
export async function countLeftOut(
  client: pg.ClientBase,
  feedRules: FeedRules,
  rows: number,
): Promise<Record<string, number>> {
  const found = await dynamic(
    client,
    `SELECT ${firstFailure(feedRules)} AS code, count(*)::int AS count
     FROM candidate WHERE ${isOfFeed(feedRules)} GROUP BY 1`,
  );
  const counts = found.rows as { code: string | null; count: number }[];
  const countOf = (wanted: string | null) => counts.find(({ code }) => code === wanted)?.count ?? 0;
  const { rules, unselected } = feedRules;
  const leftOut = [
    ...rules.map(({ code, name }) => [name, countOf(code)] as const),
    ...(unselected ? [[unselected.name, countOf(null) - rows] as const] : []),
  ];
  return Object.fromEntries(leftOut.filter(([, count]) => count > 0));
}
