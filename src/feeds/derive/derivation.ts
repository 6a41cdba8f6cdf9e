import { loadSql } from "../../platform/database/sql.ts";
import { FEEDS, type FeedCode } from "../catalogue.ts";
import { FEED_RULES } from "../rules/feed-rules.ts";
import { allRulesHold, type FeedRules, isOfFeed } from "../rules/rule.ts";

const selects = new Map(FEEDS.map(({ code }) => [code, loadSql(import.meta.url, `${code}.sql`)]));

/**
 * The statement that gives a feed's records: the candidates that pass its rules are `eligible`, and `<feed>.sql` makes
 * records of them. It reads the temporary table of openCandidates.
 */
export function derivationOf(feed: FeedCode, rules: FeedRules = FEED_RULES[feed]): string {
  const select = selects.get(feed);
  if (select === undefined) throw new Error(`the feed ${feed} has no SELECT`);
  return `
    WITH eligible AS (SELECT * FROM candidate WHERE ${isOfFeed(rules)} AND ${allRulesHold(rules)})
    SELECT * FROM (${select}) AS record`;
}
