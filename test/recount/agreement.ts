import { expect } from "vitest";
import { compareDays, type RegistryDays } from "./registry-days.ts";

/** Fails with the first refusals and disagreements of a run, or when nothing was compared. */
export async function expectAgreement(story: RegistryDays): Promise<void> {
  const { disagreements, compared } = await compareDays(story);
  expect(disagreements.slice(0, 40), `${disagreements.length} disagreements`).toEqual([]);
  expect(Object.keys(compared).sort()).toEqual([
    "authority_inactive",
    "changes of watched carriers",
    "changes: address",
    "changes: authority",
    "changes: census",
    "changes: contact",
    "changes: fleet",
    "changes: insurance",
    "changes: name",
    "changes: none, another form",
    "changes: order",
    "changes: out_of_service",
    "insurance_cancellation_suspension",
    "new_authority_granted",
    "reinstated",
    "revocation_pending",
    "us_brokers",
    "us_insurance_lapse_alerts",
    "us_new_authority_weekly",
    "us_revocation_pending",
    "us_small_carriers_active",
  ]);
}
