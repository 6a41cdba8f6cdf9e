import type { RegistryRows } from "../../../../support/registry/derived-registry.ts";
import {
  broker,
  cancellation,
  carrier,
  datedPolicy,
  legacyCarrier,
  legacyMover,
  policy,
  SECURITY,
  undatedPolicy,
} from "./registry.ts";

type Case = [name: string, rows: (usdot: number) => RegistryRows, expected: string];

const YES = "May haul: yes";
const ENDED = "May haul: not known (insurance ended 1 November, no other one is in force)";
/** Insurance that ended or ends, and what cures that. `A1` is the policy that ended. */
export const ENDS: Case[] = [
  [
    "a policy of the legacy registry, which gives the status",
    (usdot) => [...legacyCarrier(usdot), cancellation(usdot, "2026-11-01"), datedPolicy(usdot)],
    YES,
  ],
  [
    "a policy of the legacy registry without the day of its end",
    (usdot) => [...legacyCarrier(usdot), cancellation(usdot, "2026-11-01"), undatedPolicy(usdot)],
    YES,
  ],
  [
    "a policy of the legacy registry that ended, whatever its other file says",
    (usdot) => [
      ...legacyCarrier(usdot),
      cancellation(usdot, "2026-11-01"),
      datedPolicy(usdot, { cancelled_on: "2026-05-20" }),
      undatedPolicy(usdot),
    ],
    ENDED,
  ],
  [
    "a policy of the legacy registry that Motus says was cancelled",
    (usdot) => [
      ...legacyCarrier(usdot),
      cancellation(usdot, "2026-11-01", { policy_key: "L1" }),
      datedPolicy(usdot),
    ],
    ENDED,
  ],
  [
    "a policy of the legacy registry for another kind of insurance",
    (usdot) => [
      ...legacyCarrier(usdot),
      cancellation(usdot, "2026-11-01"),
      datedPolicy(usdot, { insurance_type: "CARGO" }),
    ],
    ENDED,
  ],
  [
    "a policy of the legacy registry while Motus gives the status",
    (usdot) => [...carrier(usdot), cancellation(usdot, "2026-11-01"), datedPolicy(usdot)],
    ENDED,
  ],
  [
    "nothing: the legacy registry itself said that the policy would end",
    (usdot) => [...legacyCarrier(usdot), datedPolicy(usdot, { cancelled_on: "2026-11-01" })],
    ENDED,
  ],
  [
    "another policy of the legacy registry, after one that it said would end",
    (usdot) => [
      ...legacyCarrier(usdot),
      datedPolicy(usdot, { cancelled_on: "2026-11-01" }),
      datedPolicy(usdot, { policy_key: "L2" }),
    ],
    YES,
  ],
  [
    "nothing to cure: the policy ended before the legacy registry's last word on what is on file",
    (usdot) => [...legacyCarrier(usdot), datedPolicy(usdot, { cancelled_on: "2026-05-10" })],
    YES,
  ],
  [
    "nothing to cure: a mover's cargo insurance is with the legacy registry",
    (usdot) => [...legacyMover(usdot), datedPolicy(usdot, { insurance_type: "CARGO" })],
    YES,
  ],
  [
    "nothing to cure: a mover's cargo insurance is with the legacy registry, without the day of its end",
    (usdot) => [...legacyMover(usdot), undatedPolicy(usdot, { type_code: "2" })],
    YES,
  ],
  [
    "nothing: the legacy registry said that a mover's cargo insurance would end, whatever its other file says",
    (usdot) => [
      ...legacyMover(usdot),
      datedPolicy(usdot, { insurance_type: "CARGO", cancelled_on: "2026-11-01" }),
      undatedPolicy(usdot, { type_code: "2" }),
    ],
    "May haul: not known (cargo insurance ended 1 November, no other one is in force)",
  ],
  [
    "nothing to cure: no file has cargo insurance of the mover",
    legacyMover,
    "May haul: not known (the files do not say whether its cargo insurance is on file)",
  ],
  [
    "no liability insurance, as none is required",
    (usdot) => [...carrier(usdot, { min_coverage: 0 }), cancellation(usdot, "2026-11-01")],
    YES,
  ],
  [
    "no bond, as none is required",
    (usdot) => [
      broker(usdot, { bond_required: false, bond_on_file: false }),
      ...carrier(usdot).slice(0, 1),
      cancellation(usdot, "2026-11-01", SECURITY),
    ],
    "May arrange: yes",
  ],
  [
    "the same policy, filed again from a later day",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01"),
      policy(usdot, { filed_on: "2026-11-09", effective_on: "2026-12-15" }),
    ],
    ENDED,
  ],
  [
    "the same policy, filed again after the notice from a later day",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01", { effective_on: "2025-01-01" }),
      policy(usdot, { filed_on: "2026-10-20", effective_on: "2026-12-15" }),
    ],
    ENDED,
  ],
  [
    "the same policy, filed again with a day that cannot be read",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01"),
      policy(usdot, { filed_on: "2026-11-09", effective_on: null }),
    ],
    YES,
  ],
  [
    "a later term of the same policy, filed before the end",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01", { effective_on: "2025-11-01" }),
      policy(usdot, { filed_on: "2026-09-01", effective_on: "2026-11-01" }),
    ],
    YES,
  ],
  [
    "the term itself, which was cancelled on its first day and remains on file",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01", { effective_on: "2026-11-01" }),
      policy(usdot, { filed_on: "2026-09-01", effective_on: "2026-11-01" }),
    ],
    ENDED,
  ],
  [
    "a policy without a readable number that began at the end",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01"),
      policy(usdot, { policy_key: "", filed_on: "2026-10-20", effective_on: "2026-11-01" }),
    ],
    YES,
  ],
  [
    "a policy without a readable number that began before: it may be the one that ended",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01"),
      policy(usdot, { policy_key: "", filed_on: "2026-09-01", effective_on: "2026-09-01" }),
    ],
    ENDED,
  ],
  [
    "an excess policy without a readable number",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01"),
      policy(usdot, {
        policy_key: "",
        class_code: "E",
        filed_on: "2026-11-01",
        effective_on: "2026-11-01",
      }),
    ],
    ENDED,
  ],
  [
    "nothing to cure: the policy that ended is another company's",
    (usdot) => [...carrier(usdot), cancellation(usdot, "2026-11-01", { usdot: 9 })],
    YES,
  ],
  [
    "no policy that another company has on the docket",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01"),
      policy(usdot, { usdot: 9, policy_key: "B2", filed_on: "2026-10-20", effective_on: "2026-10-25" }),
    ],
    ENDED,
  ],
  [
    "no policy of another company that ends later",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01"),
      cancellation(usdot, "2026-12-20", { usdot: 9, policy_key: "B2", effective_on: "2025-06-01" }),
    ],
    ENDED,
  ],
  [
    "another policy that ends later, before the end that is still to come",
    (usdot) => [
      ...carrier(usdot),
      policy(usdot),
      cancellation(usdot, "2026-12-01"),
      cancellation(usdot, "2026-12-20", { policy_key: "B2", effective_on: "2025-06-01" }),
    ],
    "May haul: yes, insurance ends 20 December (cancellation filed)",
  ],
  [
    "another policy that ends later, from a day that cannot be read",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01"),
      cancellation(usdot, "2026-12-20", { policy_key: "B2", effective_on: null }),
    ],
    "May haul: yes, insurance ends 20 December (cancellation filed)",
  ],
  [
    "another policy that ends later and is still to begin",
    (usdot) => [
      ...carrier(usdot),
      cancellation(usdot, "2026-11-01"),
      cancellation(usdot, "2026-12-20", { policy_key: "B2", effective_on: "2026-11-25" }),
    ],
    ENDED,
  ],
];
