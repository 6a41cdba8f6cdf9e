import type pg from "pg";
import { loadSql } from "../../platform/database/sql.ts";
import { FEEDS, type FeedCode } from "../catalogue.ts";
import { openCandidates } from "../derive/candidates.ts";
import { openRemovalList } from "../derive/removal-list.ts";
import { type Candidate, FEED_RULES, firstFailure } from "./rules.ts";

const candidates = loadSql(import.meta.url, "candidate.sql");
const derivations = new Map(
  FEEDS.map(({ code }) => [code, loadSql(import.meta.url, `../derive/${code}.sql`)]),
);

/** The own columns of us_insurance_lapse_alerts. */
export interface Alert {
  alert_reason: string;
  insurance_type: string | null;
  cancellation_effective: string | null;
  insurer: string | null;
}

/** An authority as a feed sees it. */
export interface Judged extends Candidate {
  feed: FeedCode;
  /** Whether the feed's derivation takes it. */
  isTaken: boolean;
  /** Why us_insurance_lapse_alerts takes it; null in the other feeds and where it does not. */
  alert: Alert | null;
  /** The newest cancellation of its insurance or bond, whether or not the policy was replaced. */
  cancelled_on: string | null;
  /** The name of the first rule that keeps it out; null when none does. */
  rule: string | null;
}

/**
 * Judges every authority of some carriers by the feeds' own derivations, as of the given days. They run over
 * temporary tables that hold these carriers alone and stand before the registry's by name, so that one carrier is
 * judged in milliseconds and exactly as a whole registry is. Needs a transaction of its own.
 */
export async function judgeCarriers(
  client: pg.ClientBase,
  usdots: readonly number[],
  asOfDays: ReadonlyMap<FeedCode, string>,
): Promise<Judged[]> {
  await openCarriersAlone(client, usdots);
  await openRemovalList(client);
  const judged: Judged[] = [];
  let candidatesAsOf: string | null = null;
  for (const { code } of FEEDS) {
    const asOf = asOfDays.get(code);
    if (asOf === undefined) continue;
    if (candidatesAsOf !== asOf) await openCandidates(client, asOf);
    candidatesAsOf = asOf;
    judged.push(...(await judgeFeed(client, code)));
  }
  return judged;
}

async function openCarriersAlone(client: pg.ClientBase, usdots: readonly number[]): Promise<void> {
  for (const table of ["authority", "census"]) {
    await client.query(
      `CREATE TEMP TABLE ${table} ON COMMIT DROP AS SELECT * FROM public.${table} WHERE usdot = ANY ($1)`,
      [usdots],
    );
    await client.query(`ANALYZE ${table}`);
  }
  // Numbers are typed into a table of their own, so that an import that runs is not waited for.
  await client.query(
    "CREATE TEMP TABLE phone_exchange (LIKE public.phone_exchange INCLUDING ALL) ON COMMIT DROP",
  );
}

async function judgeFeed(client: pg.ClientBase, feed: FeedCode): Promise<Judged[]> {
  const feedRules = FEED_RULES[feed];
  const alert = "'alert_reason', alert_reason, 'insurance_type', insurance_type";
  const cancellation = "'cancellation_effective', cancellation_effective, 'insurer', insurer";
  const isAboutInsurance = feed === "us_insurance_lapse_alerts";
  const { rows } = await client.query<Omit<Judged, "feed">>(
    `WITH record AS (${derivations.get(feed)})
     SELECT candidate.*, ${firstFailure(feedRules)} AS rule, taken.is_taken IS TRUE AS "isTaken", taken.alert,
       (SELECT max(cancelled_on) FROM motus_ended_policy AS ended
        WHERE ended.docket = candidate.docket AND ending = 'cancelled') AS cancelled_on
     FROM (${candidates}) AS candidate
     LEFT JOIN LATERAL (
       SELECT true AS is_taken,
         ${isAboutInsurance ? `json_build_object(${alert}, ${cancellation})` : "NULL::json"} AS alert
       FROM record
       WHERE record.docket = candidate.docket AND record.authority_class = candidate.authority_class
         AND record.usdot = candidate.usdot
     ) AS taken ON true
     WHERE authority_class = ANY ($1)
     ORDER BY usdot, docket, authority_class`,
    [feedRules.classes],
  );
  return rows.map((row) => ({ ...row, feed }));
}
