import type { RegistryRows } from "../../../../support/registry/derived-registry.ts";
import { ENDS } from "./insurance-ends.ts";
import {
  broker,
  CARGO,
  cancellation,
  carrier,
  history,
  legacyCarrier,
  mover,
  order,
  policy,
  SECURITY,
} from "./registry.ts";

export const SUSPENSION = "Involuntary Suspension - insurance cancellation effective; no active insurance";
/** The first of the numbers of the carriers in ENDS. */
export const FIRST_ENDED = 1101;

export const ROWS: RegistryRows = [
  ...carrier(1001, {}, { safety_rating: "satisfactory", safety_rating_on: "2019-05-06" }),
  history(1001, {}),
  policy(1001),
  ...carrier(1002),
  order(1002, { effective_on: "2026-11-29" }),
  ...carrier(1003),
  policy(1003),
  cancellation(1003, "2026-12-04"),
  ...carrier(1004),
  ["oos_order", { usdot: 1004, ordered_on: "2026-11-03", reason: "IMMINENT HAZARD" }],
  // Its carrier authority was suspended; the broker's keeps it in the feeds.
  ...carrier(1005, { status: "inactive" }),
  history(1005, { status: "inactive", reason: SUSPENSION, changed_on: "2026-11-15" }),
  broker(1005),
  ...carrier(1006),
  order(1006, { effective_on: "2026-11-21" }),
  ...carrier(1007, { bipd_on_file: 300_000 }),
  // Another policy follows the one that ends.
  ...carrier(1008),
  policy(1008),
  cancellation(1008, "2026-12-04"),
  policy(1008, { policy_key: "B2", effective_on: "2026-12-04", filed_on: "2026-11-10" }),
  ...carrier(1009),
  order(1009, {
    effective_on: "2026-12-01",
    order_type: "Operating Authority Voluntary Suspension Notice",
  }),
  ...carrier(1010, { min_coverage: null, bipd_on_file: null }, { power_units: 34 }),
  broker(1010),
  ...carrier(1011, {}, { state: "CA" }),
  broker(1011),
  ...carrier(1012),
  broker(1012, { docket: "MC2012" }),
  // An order whose day came: no file says what followed, it was cured, and it is settled after a week.
  ...carrier(1014),
  order(1014, { served_on: "2026-10-15", effective_on: "2026-11-14" }),
  ...carrier(1015),
  order(1015, { served_on: "2026-10-15", effective_on: "2026-11-14" }),
  history(1015, { reason: "Discontinued Revocation", changed_on: "2026-11-10" }),
  ...carrier(1016),
  order(1016, { served_on: "2026-10-14", effective_on: "2026-11-13" }),
  // A suspension that it asked for and took back.
  ...carrier(1017),
  order(1017, {
    effective_on: "2026-12-01",
    order_type: "Operating Authority Voluntary Suspension Notice",
  }),
  history(1017, { reason: "Reinstated", changed_on: "2026-11-10" }),
  // An order of a class that is not known, and one under the docket's former prefix.
  ...carrier(1018),
  order(1018, { authority_class: "unknown", served_on: "2026-10-15", effective_on: "2026-11-14" }),
  ...carrier(1019),
  order(1019, { docket: "MX1019", served_on: "2026-10-15", effective_on: "2026-11-14" }),
  // Its insurance ended, and another one began later: before the day of the files, after it, and not yet.
  ...[1020, 1021, 1022].flatMap((usdot) => [...carrier(usdot), cancellation(usdot, "2026-11-01")]),
  policy(1020, { policy_key: "B2", effective_on: "2026-11-07", filed_on: "2026-11-08" }),
  policy(1021, { policy_key: "B2", effective_on: "2026-11-22", filed_on: "2026-11-19" }),
  policy(1022, { policy_key: "B2", effective_on: "2026-11-23", filed_on: "2026-11-19" }),
  // The same policy was filed again after it had ended.
  ...carrier(1023),
  cancellation(1023, "2026-11-01", { effective_on: "2026-10-20" }),
  policy(1023, { effective_on: "2026-10-20", filed_on: "2026-11-09" }),
  // A lapse of which the feed of alerts no longer tells.
  ...carrier(1024),
  cancellation(1024, "2026-10-01"),
  // An excess policy and a bond that end later.
  ...carrier(1025),
  cancellation(1025, "2026-11-01"),
  cancellation(1025, "2026-11-12", { class_code: "E", policy_key: "E1" }),
  cancellation(1025, "2026-12-10", { class_code: "E", policy_key: "E2" }),
  ...carrier(1026, {
    authority_class: "freight_forwarder",
    op_auth_type: "Freight Forwarder",
    bond_required: true,
    bond_on_file: true,
  }),
  cancellation(1026, "2026-11-01"),
  cancellation(1026, "2026-12-10", SECURITY),
  // Policies that followed each other: the last one ended without another one. One that never began is none.
  ...carrier(1027),
  cancellation(1027, "2024-03-03", { effective_on: "2023-03-03" }),
  cancellation(1027, "2026-11-01", { policy_key: "B2", effective_on: "2024-03-03" }),
  cancellation(1027, "2026-11-15", { policy_key: "D4", effective_on: "2026-11-15" }),
  // The last one goes on: its notice of cancellation was taken back.
  ...carrier(1028),
  cancellation(1028, "2024-03-03"),
  cancellation(1028, "2026-11-10", { policy_key: "B2", effective_on: "2024-03-03" }),
  policy(1028, { policy_key: "B2", effective_on: "2024-03-03", filed_on: "2026-11-05" }),
  // A policy that ended was taken out again, and ends again. Only the second end is still to come.
  ...carrier(1034),
  cancellation(1034, "2015-10-02", { effective_on: "2014-05-12" }),
  cancellation(1034, "2026-12-26", { effective_on: "2021-02-12" }),
  // Cargo insurance of movers, and of one that needs none.
  ...mover(1029),
  cancellation(1029, "2026-12-05", CARGO),
  ...mover(1030),
  cancellation(1030, "2026-11-21", CARGO),
  ...mover(1031, { cargo_required: false }),
  cancellation(1031, "2026-11-21", CARGO),
  ...carrier(1032),
  cancellation(1032, "2026-11-21", CARGO),
  // An order that is said to be served on a day that has not come.
  ...carrier(1033),
  order(1033, {
    served_on: "2026-11-28",
    effective_on: "2026-12-28",
    order_type: "Operating Authority Voluntary Suspension Notice",
  }),
  ...legacyCarrier(1013),
  ...ENDS.flatMap(([, rows], index) => rows(FIRST_ENDED + index)),
];
