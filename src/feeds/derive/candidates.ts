import type pg from "pg";
import { loadSql } from "../../platform/database/sql.ts";
import { LEGACY_REVOCATIONS_END_ON } from "../../registry/authorities/pending-revocations.ts";
import { typePhoneExchanges } from "../../registry/contacts/phone-exchanges.ts";
import { LEGACY_FROZEN_ON } from "../../registry/datasets.ts";
import { STATE_CODES } from "../../registry/places/state-codes.ts";
import { openTimeZones } from "../../registry/places/time-zones.ts";

const findSuspensions = loadSql(import.meta.url, "suspension.sql");
const makeCompanies = loadSql(import.meta.url, "company.sql");
const makeSubjects = loadSql(import.meta.url, "subject.sql");

/** What decides the content of the candidate tables besides the registry: part of every version's fingerprint. */
export const candidateRules = [findSuspensions, makeCompanies, makeSubjects, LEGACY_REVOCATIONS_END_ON];

const TABLES = "reading, suspension, county_time_zone, state_time_zone, company, subject";

/**
 * Makes the temporary tables that every feed's derivation reads, as of a day, in place of those of another day:
 * `reading` (the day), `suspension`, `company` and `subject`. Those of the removal list stand already.
 */
export async function openCandidates(client: pg.ClientBase, asOf: string): Promise<void> {
  await client.query(`DROP TABLE IF EXISTS ${TABLES}`);
  await client.query("CREATE TEMP TABLE reading ON COMMIT DROP AS SELECT $1::date AS as_of", [asOf]);
  await openTimeZones(client);
  await client.query(findSuspensions, [asOf]);
  await client.query(makeCompanies, [STATE_CODES]);
  await typePhoneExchanges(client, "company", "phone");
  await client.query("CREATE INDEX ON company (usdot)");
  await client.query("ANALYZE company");
  await client.query(makeSubjects, [asOf, LEGACY_FROZEN_ON, LEGACY_REVOCATIONS_END_ON]);
  await client.query("CREATE INDEX ON subject (usdot)");
  await client.query("ANALYZE subject");
}
