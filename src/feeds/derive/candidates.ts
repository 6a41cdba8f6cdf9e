import type pg from "pg";
import { LEGACY_FROZEN_ON } from "../../carriers/datasets.ts";
import { typePhoneExchanges } from "../../carriers/phone-exchanges.ts";
import { openTimeZones } from "../../carriers/time-zones.ts";
import { loadSql } from "../../platform/sql.ts";
import { STATE_CODES } from "../codes.ts";

const makeCompanies = loadSql(import.meta.url, "company.sql");
const makeSubjects = loadSql(import.meta.url, "subject.sql");

/** By then every proceeding that the frozen registry showed as open had ended (fmcsa section 9.3). */
const LEGACY_REVOCATIONS_END_ON = "2026-06-20";

/** What decides the content of the candidate tables besides the registry: part of every version's fingerprint. */
export const candidateRules = [makeCompanies, makeSubjects, LEGACY_REVOCATIONS_END_ON];

/** Makes the temporary tables `company` and `subject` that every feed's derivation reads. */
export async function openCandidates(client: pg.ClientBase, asOf: string): Promise<void> {
  await openTimeZones(client);
  await client.query(makeCompanies, [STATE_CODES]);
  await typePhoneExchanges(client, "company", "phone");
  await client.query("CREATE INDEX ON company (usdot)");
  await client.query("ANALYZE company");
  await client.query(makeSubjects, [asOf, LEGACY_FROZEN_ON, LEGACY_REVOCATIONS_END_ON]);
  await client.query("CREATE INDEX ON subject (usdot)");
  await client.query("ANALYZE subject");
}
