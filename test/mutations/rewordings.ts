// Mutations that reword every coded value that a rule reads.
import { type Mutation, onColumn } from "./mutation.ts";
import { FILE_TITLES, type RegistryFile } from "./registry-file.ts";

type Rewording = [from: string | RegExp, to: string];

const STATUSES: Rewording[] = [
  ["Active", "Authorized"],
  ["Inactive", "Not Authorized"],
  ["Pending", "In Process"],
  ["Withdrawn", "Given Up"],
];
const CLASSES: Rewording[] = [
  ["Motor Carrier of Property (Except Household Goods)", "For-Hire Transport of General Freight"],
  ["Motor Carrier of Household Goods", "Mover of Homes"],
  ["Motor Carrier of Passengers", "Bus Operator"],
  [/^Broker\b.*/, "Property Intermediary"],
  [/^Freight Forwarder\b.*/, "Forwarding Company"],
  // A search for "Household Goods" finds the exception.
  [/\(Except Household Goods\)/, "(Excluding Transport of Household Goods)"],
];
const INSURANCE_TYPES: Rewording[] = [
  ["1", "BIPD"],
  ["2", "CARGO"],
  ["3", "SURETY"],
  ["4", "TRUST"],
];
const INSURANCE_CLASSES: Rewording[] = [
  ["P", "PRIMARY"],
  ["E", "EXCESS"],
  ["E", "S"],
];
const YES_NO: Rewording[] = [
  ["Y", "YES"],
  ["N", "NO"],
  [/^[YN]$/, "1"],
];

const REWORDINGS: [RegistryFile, column: string, Rewording[]][] = [
  [
    "authHist",
    "REASON",
    [
      ["Granted", "Authority Issued"],
      ["GRANTED", "ISSUED"],
      [/^Reinstated$/, "Restored"],
      [/^Reinstated - insurance.*/, "Insurance coverage restored"],
      ["REINSTATED", "RESTORED"],
      [/^Reinstated - MOTUS Issue #220$/, "Reinstated - MOTUS repair"],
      [/^Involuntary Suspension - insurance.*/, "Suspended, no coverage on file"],
      [/^Involuntary Suspension - insurance.*/, "Involuntary Suspension - coverage lapsed"],
      [/^Involuntary Suspension - BOC-3.*/, "Suspended, no process agent"],
      ["Revoked", "Terminated"],
      ["REVOKED", "TERMINATED"],
      ["Discontinued Revocation", "Proceeding Closed"],
      ["Published to FMCSA Register", "Posted"],
      [/^(Initial Status|INITIAL STATUS)$/, "First Entry"],
      [/^Withdrawn by/, "Given up by"],
      ["WITHDRAWN", "GIVEN UP"],
      ["Administrative Correction", "Data Repair"],
      [/.*/, "Status Change"],
    ],
  ],
  ["authHist", "OP_AUTH_STATUS", STATUSES],
  ["carrier", "OP_AUTH_STATUS", STATUSES],
  ["authHist", "OP_AUTH_TYPE", CLASSES],
  ["carrier", "OP_AUTH_TYPE", CLASSES],
  ["revokeSuspend", "OP_AUTH_TYPE", CLASSES],
  [
    "revokeSuspend",
    "ORDER1_TYPE_DESC",
    [
      [/Involuntary Suspension Notice/, "Suspension Notice"],
      // Contains "Voluntary", the word that marks an order that the holder asked for.
      [/Involuntary/, "Non-Voluntary"],
      ["INVOLUNTARY REVOCATION", "REVOCATION ORDER"],
      [/Voluntary Suspension Notice/, "Notice at the Holder's Wish"],
    ],
  ],
  ["insur", "INS_TYPE_CODE", INSURANCE_TYPES],
  ["insHist", "INS_TYPE_CODE", INSURANCE_TYPES],
  ["insur", "INS_CLASS_CODE", INSURANCE_CLASSES],
  ["insHist", "INS_CLASS_CODE", INSURANCE_CLASSES],
  [
    "insHist",
    "FILING_STATUS_REASON",
    [
      ["CANCEL", "TERMINATED"],
      ["Cancelled", "Ended"],
      ["TERM/REPL", "SUPERSEDED"],
      ["NAMECHG", "NEWNAME"],
      ["TRANSFER", "MOVED"],
      ["TERM/REPL", "CANCEL"],
      [/^CANCEL$/, "CANCEL - RESCINDED"],
    ],
  ],
  [
    "oosOrder",
    "OOS_REASON",
    [
      [/^New Entrant Revoked - Refusal.*/, "Audit Refused"],
      [/.*/, "Federal Order"],
      [/.*/, "7"],
    ],
  ],
  ["oosOrder", "STATUS", [["ACTIVE", "RESCINDED"]]],
  ["carrier", "CARGO_REQ", YES_NO],
  ["carrier", "BOND_REQ", YES_NO],
  ["carrier", "CARGO_FILE", YES_NO],
  ["carrier", "BOND_FILE", YES_NO],
  [
    "census",
    "STATUS_CODE",
    [
      ["A", "ACTIVE"],
      ["I", "INACTIVE"],
      ["A", "1"],
    ],
  ],
  [
    "census",
    "PHY_COUNTRY",
    [
      ["US", "USA"],
      ["CA", "CANADA"],
    ],
  ],
  ["census", "CRGO_GENFREIGHT", [["X", "TRUE"]]],
  [
    "legacyCarrier",
    "COMMON_STAT",
    [
      ["A", "ACTIVE"],
      ["I", "X"],
    ],
  ],
  ["legacyCarrier", "BROKER_STAT", [["A", "ACTIVE"]]],
  ["legacyAuthHist", "ORIGINAL_ACTION_DESC", [["GRANTED", "ISSUED"]]],
  ["legacyAuthHist", "DISP_ACTION_DESC", [["REVOKED", "ENDED"]]],
];

export const REWORDED: readonly Mutation[] = REWORDINGS.flatMap(([file, column, pairs]) =>
  pairs.map(([from, to]) => ({
    name: `${FILE_TITLES[file]} ${column}: ${from instanceof RegExp ? from.source : from} is "${to}"`,
    files: [file],
    column,
    word: to,
    change: onColumn(column, (value) =>
      from instanceof RegExp ? value.replace(from, to) : value === from ? to : value,
    ),
  })),
);
