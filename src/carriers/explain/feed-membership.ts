// Whether a carrier is in a feed, and by which rule, according to the feed's own SQL.
import type pg from "pg";
import { FEEDS, type FeedCode } from "../../feeds/catalogue.ts";
import { derivationOf, openCandidates, openRemovalList } from "../../feeds/derive/candidates.ts";
import { FEED_RULES } from "../../feeds/rules/feed-rules.ts";
import { type Candidate, type FeedRules, firstFailure, isOfFeed } from "../../feeds/rules/rule.ts";
import * as sql from "../../generated/sql/carriers/explain.ts";
import { dynamic } from "../../platform/database/statement.ts";
import { classInWords } from "../../registry/authority-classes.ts";

/** An authority and one feed. */
export interface Membership extends Candidate {
  feed: FeedCode;
  /** Its record in the feed; null when it has none. */
  record: Record<string, string | null> | null;
  /** The code of the first rule that it fails; null when it passes every rule. */
  failure: string | null;
  /** The newest cancellation of its insurance or bond, also when the policy was replaced. */
  last_cancelled_on: string | null;
}

/**
 * Runs the feeds' derivations over all authorities of some carriers, as of the given days. They read temporary tables
 * that hide the registry's tables and have only these carriers. So one carrier takes milliseconds, and the result is
 * the same as for the whole registry. Needs a transaction of its own.
 */
export async function findMemberships(
  client: pg.ClientBase,
  usdots: readonly number[],
  asOfDays: ReadonlyMap<FeedCode, string>,
  feedRules: Readonly<Record<FeedCode, FeedRules>> = FEED_RULES,
): Promise<Membership[]> {
  await hideOtherCarriers(client, usdots);
  await openRemovalList(client);
  const found: Membership[] = [];
  const byDay = Map.groupBy(FEEDS, ({ code }) => asOfDays.get(code));
  for (const [asOf, feeds] of byDay) {
    if (asOf === undefined) continue;
    await openCandidates(client, asOf);
    for (const { code } of feeds) found.push(...(await membershipsIn(client, code, feedRules[code])));
  }
  return found;
}

async function hideOtherCarriers(client: pg.ClientBase, usdots: readonly number[]): Promise<void> {
  await sql.hideAuthorities(client, { usdots });
  await sql.hideCensus(client, { usdots });
  await sql.prepareCandidates(client);
  await sql.hidePolicies(client);
}

async function membershipsIn(
  client: pg.ClientBase,
  feed: FeedCode,
  feedRules: FeedRules,
): Promise<Membership[]> {
  const { rows } = await dynamic(
    client,
    `WITH record AS (${derivationOf(feed, feedRules)}),
     asked AS (SELECT *, ${firstFailure(feedRules)} AS failure FROM candidate WHERE ${isOfFeed(feedRules)})
     SELECT asked.*, row_to_json(record) AS record,
       (SELECT max(cancelled_on) FROM motus_ended_policy AS ended
        WHERE ended.docket = asked.docket AND ending IN ('cancelled', 'unknown')) AS last_cancelled_on
     FROM asked
     LEFT JOIN record ON record.docket = asked.docket AND record.authority_class = asked.authority_class
       AND record.usdot = asked.usdot
     ORDER BY asked.usdot, asked.docket, asked.authority_class`,
  );
  return (rows as Omit<Membership, "feed">[]).map((row) => ({ ...row, feed }));
}

/** Whether a carrier is in a feed, and why, in sentences. */
export interface Verdict {
  feed: FeedCode;
  is_in: boolean;
  because: string[];
}

/** The verdict on one carrier from the memberships of its authorities in that feed. */
export function verdictOn(
  feed: FeedCode,
  memberships: readonly Membership[],
  feedRules: FeedRules = FEED_RULES[feed],
): Verdict {
  const isIn = memberships.some(({ record }) => record !== null);
  if (memberships.length === 0) {
    const classes = feedRules.classes.map(classInWords).join(", ");
    return { feed, is_in: isIn, because: [`no ${classes} authority is on record`] };
  }
  const inFeed = memberships.filter(({ record }) => record !== null);
  const outside = memberships.filter(({ record }) => record === null);
  return {
    feed,
    is_in: isIn,
    because: [...inFeed, ...outside].map((membership) => sentence(feedRules, membership)),
  };
}

function sentence({ rules, unselected, selected }: FeedRules, membership: Membership): string {
  const { docket_number, authority_class, record, failure } = membership;
  const name = `${docket_number ?? "no docket"} (${classInWords(authority_class)})`;
  if (record) {
    const passed = rules.flatMap((rule) => rule.passed?.(membership) ?? []);
    return `${name}: ${[...passed, ...(selected ? [selected(record)] : [])].join("; ")}`;
  }
  const failed = rules.find(({ code }) => code === failure) ?? unselected;
  if (!failed) throw new Error(`${name} passes every rule, but the feed's SELECT gives no record of it`);
  return `${name}: ${failed.failed(membership)}`;
}
