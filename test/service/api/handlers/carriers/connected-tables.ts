// The tables of the registry of connected-companies.ts.
import type { Row } from "../../../../support/rows.ts";
import { authority, census } from "./connected-companies.ts";

const change = (
  id: number,
  usdot: number,
  field: string,
  before: unknown,
  after: unknown,
  asOf: string,
): Row => ({
  id,
  usdot,
  docket: null,
  category: ["phone", "email"].includes(field) ? "contact" : "address",
  field,
  item: null,
  old_value: JSON.stringify(before),
  new_value: JSON.stringify(after),
  registry_on: null,
  as_of: asOf,
  seen_at: `${asOf}T11:20:05Z`,
  source: "census",
});

const policy = (usdot: number, insurer: string, policy_key: string): Row => ({
  docket: `MC${usdot}`,
  usdot,
  insurer,
  policy_key,
});
const NUMBER = "POL-88-1234";

/** The rows of each table. */
export const TABLES: [table: string, rows: Row[]][] = [
  ["census", census],
  ["authority", authority],
  [
    "agent_contact",
    [
      { kind: "phone", value: "5125550540", shipped: false },
      { kind: "email_domain", value: "filings.com", shipped: false },
    ],
  ],
  [
    "shared_contact",
    [
      { value: "5125550545", usdot_count: 9 },
      { value: "same@many.com", usdot_count: 9 },
    ],
  ],
  ["recorded_field", [{ source: "census", field: "phone", since: "2026-11-15T11:20:05Z" }]],
  [
    "oos_order",
    [
      { usdot: 402, ordered_on: "2026-10-07", reason: "UNSATISFACTORY", rescinded_on: "2027-01-31" },
      { usdot: 406, ordered_on: "2026-10-07", reason: "UNSATISFACTORY", rescinded_on: "2026-10-09" },
    ],
  ],
  [
    "motus_authhist",
    [
      {
        docket: "MC402",
        usdot: 402,
        status: "inactive",
        reason: "Revoked",
        changed_on: "2026-09-01",
      },
    ],
  ],
  [
    "motus_inshist",
    [
      {
        docket: "MC402",
        usdot: 402,
        policy_key: "A",
        cancelled_on: "2026-08-20",
        effective_on: "2026-01-01",
      },
      // Replaced by another policy.
      {
        docket: "MC406",
        usdot: 406,
        policy_key: "A",
        cancelled_on: "2026-08-20",
        effective_on: "2026-01-01",
      },
      { ...policy(594, "First Mutual Co.", NUMBER), effective_on: "2024-01-01", cancelled_on: "2025-01-01" },
    ],
  ],
  [
    "motus_insur",
    [
      { docket: "MC406", usdot: 406, policy_key: "B", effective_on: "2026-08-20" },
      policy(590, "FIRST MUTUAL CO", NUMBER),
      policy(591, "First Mutual Co.", NUMBER),
      policy(592, "SECOND MUTUAL CO", NUMBER),
      policy(590, "FIRST MUTUAL CO", "UNKNOWN"),
      policy(593, "FIRST MUTUAL CO", "UNKNOWN"),
      policy(590, "FIRST MUTUAL CO", "000000"),
      policy(593, "FIRST MUTUAL CO", "000000"),
    ],
  ],
  [
    "legacy_authhist",
    [
      {
        docket: "MC570",
        usdot: 572,
        final_action: "TRANSFERRED",
        action_on: "2001-01-01",
        final_on: "2010-01-01",
      },
    ],
  ],
  ["legacy_carrier", [{ docket: "MC600", usdot: 600, phone: "5125550602" }]],
  [
    "carrier_change",
    [
      change(1, 600, "phone", "5125550600", null, "2026-11-18"),
      change(2, 601, "phone", null, "5125550600", "2026-11-17"),
      // The street changed first, then the ZIP code: the former address has both former values.
      change(3, 600, "street", "600 FORMER BLVD", "600 OTHER RD", "2026-11-19"),
      change(4, 600, "street", "600 OTHER RD", "600 OWN RD", "2026-11-20"),
      change(5, 600, "email", "602@gmail.com", null, "2026-11-18"),
      {
        ...change(6, 580, "prior_usdot", 583, 581, "2026-11-18"),
        category: "census",
      },
      {
        ...change(
          7,
          570,
          "holder",
          { usdot: 573, status: "active" },
          { usdot: 570, status: "active" },
          "2026-11-18",
        ),
        category: "authority",
        docket: "MC570",
        source: "motus_carrier",
      },
    ],
  ],
];
