// Rows of the registry, as the tests of a carrier's page write them.
import type { RegistryRows } from "../../../../support/registry/derived-registry.ts";
import type { RegistryRow } from "../../../../support/registry/registry-rows.ts";

const BROKER = { authority_class: "broker", op_auth_type: "Broker of Property (Except Household Goods)" };

/** A carrier with authority and insurance, and its docket of the same number. */
export const carrier = (
  usdot: number,
  authority: RegistryRow = {},
  census: RegistryRow = {},
): RegistryRows => [
  ["census", { usdot, legal_name: `CARRIER ${usdot}`, phone: `512555${usdot}`, ...census }],
  [
    "motus_carrier",
    { usdot, docket: `MC${usdot}`, min_coverage: 750_000, bipd_on_file: 750_000, ...authority },
  ],
];
export const broker = (usdot: number, authority: RegistryRow = {}): RegistryRows[number] => [
  "motus_carrier",
  { usdot, docket: `MC${usdot}`, ...BROKER, bond_required: true, bond_on_file: true, ...authority },
];
export const history = (usdot: number, row: RegistryRow): RegistryRows[number] => [
  "motus_authhist",
  { usdot, docket: `MC${usdot}`, changed_on: "2024-03-01", ...row },
];
export const order = (usdot: number, row: RegistryRow): RegistryRows[number] => [
  "motus_revokesuspend",
  { usdot, docket: `MC${usdot}`, served_on: "2026-10-30", ...row },
];
export const policy = (usdot: number, row: RegistryRow = {}): RegistryRows[number] => [
  "motus_insur",
  { docket: `MC${usdot}`, usdot, class_code: "P", policy_key: "A1", insurer: "TWIN <ELK> CO", ...row },
];
export const cancellation = (
  usdot: number,
  cancelledOn: string,
  row: RegistryRow = {},
): RegistryRows[number] => [
  "motus_inshist",
  { docket: `MC${usdot}`, usdot, class_code: "P", policy_key: "A1", cancelled_on: cancelledOn, ...row },
];
/** A mover with cargo insurance, which is required of it unless `authority` says otherwise. */
export const mover = (usdot: number, authority: RegistryRow = {}): RegistryRows => {
  const ofGoods = { authority_class: "carrier_hhg", op_auth_type: "Motor Carrier of Household Goods" };
  return carrier(usdot, { ...ofGoods, cargo_required: true, cargo_on_file: true, ...authority });
};
export const CARGO = { type_code: "2", policy_key: "C1" };
export const SECURITY = { type_code: "3", policy_key: "S1" };
/** A carrier that only the legacy registry has. */
export const legacyCarrier = (usdot: number, row: RegistryRow = {}): RegistryRows => [
  ["census", { usdot, legal_name: `LEGACY ${usdot}`, phone: `512555${usdot}` }],
  [
    "legacy_carrier",
    {
      usdot,
      docket: `MC${usdot}`,
      common_stat: "A",
      property: true,
      min_coverage: 750_000,
      bipd_on_file: 1_000_000,
      ...row,
    },
  ],
];
export const legacyMover = (usdot: number): RegistryRows =>
  legacyCarrier(usdot, { property: false, household_goods: true });
/** A policy of the legacy registry with the day it was filed, and without it. */
export const datedPolicy = (usdot: number, row: RegistryRow = {}): RegistryRows[number] => [
  "legacy_actpendinsur",
  { docket: `MC${usdot}`, usdot, policy_key: "L1", effective_on: "2025-05-05", ...row },
];
export const undatedPolicy = (usdot: number, row: RegistryRow = {}): RegistryRows[number] => [
  "legacy_insur",
  { docket: `MC${usdot}`, policy_key: "L1", effective_on: "2025-05-05", ...row },
];
