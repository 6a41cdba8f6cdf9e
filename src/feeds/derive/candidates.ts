import type pg from "pg";
import { analyze } from "../../platform/database/statement.ts";
import { LEGACY_REVOCATIONS_END_ON } from "../../registry/authorities/pending-revocations.ts";
import { FREIGHT_CARRIERS } from "../../registry/authority-classes.ts";
import { CARGO_WORDS } from "../../registry/cargo.ts";
import { typePhoneExchanges } from "../../registry/contacts/phone-exchanges.ts";
import { verifiedOn } from "../../registry/datasets.ts";
import { STATE_CODES } from "../../registry/places/state-codes.ts";
import { openTimeZones } from "../../registry/places/time-zones.ts";
import { knownOptionalSources } from "../../registry/source-states.ts";
import { SUSPENDED_DAYS } from "../rules/shared-rules.ts";
import * as sql from "./statements.ts";

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
  await sql.dropCandidates.run(client);
  await openTimeZones(client);
  await sql.findSuspensions.run(client, { asOf, days: SUSPENDED_DAYS });
  await analyze(client, "suspension");
  await sql.makeCompanies.run(client, { stateCodes: STATE_CODES, cargoWords: CARGO_WORDS });
  const unknown = await sql.listUnknownExchanges.run(client);
  await typePhoneExchanges(
    client,
    unknown.rows.map(({ phone }) => phone),
  );
  await sql.indexCompanies.run(client);
  await sql.findPendingCancellations.run(client, { asOf });
  await sql.findLegacyFilings.run(client);
  await sql.indexFilings.run(client);
  await sql.findPolicies.run(client, { asOf });
  await sql.countCancellations.run(client, { asOf });
  await analyze(client, "policy_on_file, cancellation_count");
  await sql.makeCandidates.run(client, {
    asOf,
    legacyVerifiedOn: verifiedOn(asOf).legacy,
    legacyRevocationsEndOn: LEGACY_REVOCATIONS_END_ON,
    freightCarriers: FREIGHT_CARRIERS,
    knownSources: await knownOptionalSources(client, asOf),
  });
  await sql.indexCandidates.run(client);
}
