import type pg from "pg";
import * as sql from "../../generated/sql/feeds/derive.ts";
import { analyze, type Queryable } from "../../platform/database/statement.ts";
import { LEGACY_REVOCATIONS_END_ON } from "../../registry/authorities/pending-revocations.ts";
import { FREIGHT_CARRIERS } from "../../registry/authority-classes.ts";
import { CARGO_WORDS } from "../../registry/cargo.ts";
import { typePhoneExchanges } from "../../registry/contacts/phone-exchanges.ts";
import { verifiedOn } from "../../registry/datasets.ts";
import { openTimeZones } from "../../registry/places/counties.ts";
import { STATE_CODES } from "../../registry/places/state-codes.ts";
import { knownOptionalSources } from "../../registry/source-states.ts";
import type { FeedCode } from "../catalogue.ts";
import { FEED_RULES } from "../rules/feed-rules.ts";
import { allRulesHold, type FeedRules, isOfFeed, SUSPENDED_DAYS } from "../rules/rule.ts";
import { removalListState } from "../versions/removals.ts";

/**
 * Makes the temporary tables `removed_business` and `removed_contact`, copies of the removal list. So all feeds leave out
 * the same, also when the list changes while they are built. Returns a hash of the copies, and the state that the list
 * had before: they lack nothing of it.
 */
export async function openRemovalList(client: Queryable): Promise<{ hash: string; state: string }> {
  const state = await removalListState(client);
  await sql.copyRemovalList(client);
  const { hash } = await sql.hashRemovalList(client);
  return { hash, state };
}

/**
 * Everything besides the registry that decides the content of the temporary tables: part of every version's
 * fingerprint.
 */
export const candidateRules = [
  sql.findSuspensions.text,
  sql.makeCompanies.text,
  sql.findPendingCancellations.text,
  sql.findLegacyFilings.text,
  sql.findPolicies.text,
  sql.countCancellations.text,
  sql.makeCandidates.text,
  CARGO_WORDS,
  SUSPENDED_DAYS,
  LEGACY_REVOCATIONS_END_ON,
];

/**
 * Creates the temporary table `candidate` as of a day, which every feed's rules and SELECT read. It replaces the table
 * of another day. Needs the temporary tables of openRemovalList.
 */
export async function openCandidates(client: pg.ClientBase, asOf: string): Promise<void> {
  await sql.dropCandidates(client);
  await openTimeZones(client);
  await sql.findSuspensions(client, { asOf, days: SUSPENDED_DAYS });
  await analyze(client, "suspension");
  await sql.makeCompanies(client, { stateCodes: STATE_CODES, cargoWords: CARGO_WORDS });
  const unknown = await sql.listUnknownExchanges(client);
  await typePhoneExchanges(
    client,
    unknown.map(({ phone }) => phone),
  );
  await sql.indexCompanies(client);
  await sql.findPendingCancellations(client, { asOf });
  await sql.findLegacyFilings(client);
  await sql.indexFilings(client);
  await sql.findPolicies(client, { asOf });
  await sql.countCancellations(client, { asOf });
  await analyze(client, "policy_on_file, cancellation_count");
  await sql.makeCandidates(client, {
    asOf,
    legacyVerifiedOn: verifiedOn(asOf).legacy,
    legacyRevocationsEndOn: LEGACY_REVOCATIONS_END_ON,
    freightCarriers: FREIGHT_CARRIERS,
    knownSources: await knownOptionalSources(client, asOf),
  });
  await sql.indexCandidates(client);
}

/** The SELECT of each feed. */
const selects: Readonly<Record<FeedCode, string>> = sql.parts;

/**
 * The statement that gives a feed's records: the candidates that pass its rules are `eligible`, and `<feed>.sql` makes
 * records of them. It reads the temporary table of openCandidates.
 */
export function derivationOf(feed: FeedCode, rules: FeedRules = FEED_RULES[feed]): string {
  return `
    WITH eligible AS (SELECT * FROM candidate WHERE ${isOfFeed(rules)} AND ${allRulesHold(rules)})
    SELECT * FROM (${selects[feed]}) AS record`;
}
