// Rows of the registry's histories of one carrier.
import { DOCKET, HANDED_ON, type HistoryRow, USDOT } from "./timeline-reader.ts";

const history = { docket: DOCKET, usdot: USDOT };

export const MOVES: HistoryRow[] = [
  ["motus_authhist", { ...history, status: "active", reason: "Granted", changed_on: "2026-02-25" }],
  [
    "motus_authhist",
    {
      ...history,
      status: "inactive",
      reason: "Involuntary Suspension - Insurance",
      changed_on: "2026-05-01",
    },
  ],
  ["motus_authhist", { ...history, status: "active", reason: "Reinstated", changed_on: "2026-05-20" }],
  ["motus_authhist", { ...history, status: "active", reason: "Initial Status", changed_on: "2026-01-01" }],
  ["motus_authhist", { ...history, status: "inactive", reason: "A new reason", changed_on: "2026-06-01" }],
  ["legacy_authhist", { ...history, action: "GRANTED", action_on: "2026-02-25" }],
  [
    "legacy_authhist",
    {
      ...history,
      action: "GRANTED",
      action_on: "1986-07-18",
      final_action: "REVOKED",
      final_on: "2021-06-08",
    },
  ],
  ["legacy_authhist", { ...history, action: "DISMISSED", action_on: "1985-01-01" }],
  // Another company's, or nobody knows whose.
  [
    "motus_authhist",
    { docket: HANDED_ON, usdot: 398, status: "active", reason: "Granted", changed_on: "2010-01-01" },
  ],
  [
    "motus_authhist",
    { docket: HANDED_ON, usdot: null, status: "active", reason: "Granted", changed_on: "2010-01-02" },
  ],
  // A row that names no company is about the only one that has the docket.
  [
    "motus_authhist",
    { docket: DOCKET, usdot: null, status: "withdrawn", reason: "Withdrawn", changed_on: "2020-01-01" },
  ],
];

export const ORDERS: HistoryRow[] = [
  [
    "legacy_authhist",
    {
      ...history,
      action: "INVOLUNTARY REVOCATION",
      action_on: "2005-11-07",
      final_action: "DISCONTINUED REVOCATION",
      final_on: "2005-11-29",
    },
  ],
  [
    "legacy_revocation",
    { ...history, served_on: "2005-11-07", effective_on: "2005-12-10", order_type: "INVOLUNTARY" },
  ],
  [
    "legacy_revocation",
    { ...history, served_on: "2001-01-05", effective_on: "2001-02-05", order_type: "INVOLUNTARY" },
  ],
  ["motus_revokesuspend", { ...history, served_on: "2026-09-01", effective_on: "2026-10-01" }],
  [
    "motus_authhist",
    { ...history, status: "active", reason: "Discontinued Revocation", changed_on: "2026-09-15" },
  ],
  [
    "motus_revokesuspend",
    { docket: null, usdot: USDOT, served_on: "2026-11-10", effective_on: "2026-12-10" },
  ],
  // Its order is in no file any more.
  [
    "motus_authhist",
    { ...history, status: "active", reason: "Discontinued Revocation", changed_on: "2019-03-01" },
  ],
];

const policy = { ...history, type_code: "1" };
export const [FIRST, SECOND] = ["FIRST MUTUAL CO", "SECOND MUTUAL CO"];

export const POLICIES: HistoryRow[] = [
  [
    "motus_insur",
    {
      ...policy,
      class_code: "P",
      policy_key: "C",
      insurer: SECOND,
      effective_on: "2026-03-01",
      filed_on: "2026-03-01",
    },
  ],
  [
    "motus_inshist",
    {
      ...policy,
      policy_key: "B",
      insurer: "First Mutual Co.",
      effective_on: "2025-03-01",
      cancelled_on: "2026-03-01",
      filing_status: "REPLACED",
    },
  ],
  [
    "motus_inshist",
    {
      ...policy,
      policy_key: "A",
      insurer: FIRST,
      effective_on: "2024-03-01",
      cancelled_on: "2025-03-01",
      filing_status: "TERM REPL",
    },
  ],
  // The same policy in two files.
  [
    "motus_insur",
    {
      ...policy,
      class_code: "P",
      policy_key: "A",
      insurer: FIRST,
      effective_on: "2024-03-01",
      filed_on: "2024-02-20",
    },
  ],
  [
    "motus_inshist",
    {
      ...policy,
      type_code: "2",
      policy_key: "X",
      insurer: FIRST,
      effective_on: "2024-01-01",
      cancelled_on: "2026-12-24",
      filing_status: "CANCEL",
    },
  ],
];
