import type pg from "pg";
import { loadSql } from "../../platform/database/sql.ts";
import { LEGACY_REVOCATIONS_END_ON } from "../../registry/authorities/pending-revocations.ts";
import { FREIGHT_CARRIERS } from "../../registry/authority-classes.ts";
import { typePhoneExchanges } from "../../registry/contacts/phone-exchanges.ts";
import { LEGACY_FROZEN_ON } from "../../registry/datasets.ts";
import { STATE_CODES } from "../../registry/places/state-codes.ts";
import { openTimeZones } from "../../registry/places/time-zones.ts";
import { SUSPENDED_DAYS } from "../rules/shared-rules.ts";

const findSuspensions = loadSql(import.meta.url, "suspension.sql");
const makeCompanies = loadSql(import.meta.url, "company.sql");
const makeCandidates = loadSql(import.meta.url, "candidate.sql");

/**
 * Everything besides the registry that decides the content of the temporary tables: part of every version's
 * fingerprint.
 */
export const candidateRules = [
  findSuspensions,
  makeCompanies,
  makeCandidates,
  SUSPENDED_DAYS,
  LEGACY_REVOCATIONS_END_ON,
];

const TABLES = "suspension, county_time_zone, state_time_zone, company, candidate";

/**
 * Creates the temporary table `candidate` as of a day, which every feed's rules and SELECT read. It replaces the table
 * of another day. Needs the temporary tables of openRemovalList.
 */
export async function openCandidates(client: pg.ClientBase, asOf: string): Promise<void> {
  await client.query(`DROP TABLE IF EXISTS ${TABLES}`);
  await openTimeZones(client);
  await client.query(findSuspensions, [asOf, SUSPENDED_DAYS]);
  await client.query(makeCompanies, [STATE_CODES]);
  await typePhoneExchanges(client, "company", "phone");
  await client.query("CREATE INDEX ON company (usdot)");
  await client.query("ANALYZE company");
  await client.query(makeCandidates, [asOf, LEGACY_FROZEN_ON, LEGACY_REVOCATIONS_END_ON, FREIGHT_CARRIERS]);
  await client.query("CREATE INDEX ON candidate (usdot)");
  await client.query("ANALYZE candidate");
}
