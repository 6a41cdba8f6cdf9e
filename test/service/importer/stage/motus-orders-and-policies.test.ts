import { expect, test } from "vitest";
import type { Dataset } from "../../../../src/registry/datasets.ts";
import { datasetCsv } from "./plain-rows.ts";
import { stageRows, staging, useStaging } from "./staged-rows.ts";

useStaging();

test("Motus RevokeSuspend", async () => {
  const staged = await stageRows("motus_revokesuspend", [
    {},
    { DOCKET_NUMBER: "", ORDER1_TYPE_DESC: "Voluntary Suspension Notice, asked for by J.Doe@example.com" },
    { DOCKET_NUMBER: "", USDOT_NUMBER: "0" },
    { USDOT_NUMBER: "", OP_AUTH_TYPE: "Broker" },
    { ORDER1_TYPE_DESC: " " },
    { ORDER1_SERVE_DATE: "20261002", ORDER1_EFFECTIVE_DATE: "00000000" },
  ]);
  expect(staged).toMatchObject({ rowsRead: 6, kept: 5, newestRowOn: "2026-09-30" });
  expect(staged.rejected).toEqual({ "neither docket nor USDOT number": 1 });
  expect(staged.repaired).toEqual({ "corrupt date": 1, "no order type": 1 });
  expect(staged.rows).toEqual([
    {
      docket: "MC1",
      usdot: 1,
      op_auth_type: "Motor Carrier of Property (Except Household Goods)",
      authority_class: "carrier_property",
      served_on: "2026-09-30",
      effective_on: "2026-10-30",
      order_type: "Operating Authority Involuntary Suspension Notice",
    },
    expect.objectContaining({
      docket: null,
      order_type: "Voluntary Suspension Notice, asked for by [e-mail removed]",
    }),
    expect.objectContaining({ docket: "MC4", usdot: null, authority_class: "broker" }),
    expect.objectContaining({ docket: "MC5", order_type: "Order of a type that is not stated" }),
    expect.objectContaining({ served_on: "2026-10-02", effective_on: null }),
  ]);
});

const REMOVAL = {
  INS_FORM_CODE: "",
  INS_TYPE_CODE: " ",
  INS_CLASS_CODE: "",
  MAX_COV_AMOUNT: "00000",
  UNDERL_LIM_AMOUNT: "00000",
  POLICY_NO: "",
  EFFECTIVE_DATE: "00000000",
  INSURANCE_COMPANY_NAME: "",
  TRANS_DATE: "",
};

test("Motus Insur", async () => {
  const items = [
    { INS_TYPE_CODE: "1", INS_CLASS_CODE: "e", POLICY_NO: "mrv 3254703-17" },
    { DOCKET_NUMBER: "" },
    { ...REMOVAL, USDOT_NUMBER: "00000" },
    REMOVAL,
    { POLICY_NO: "", MAX_COV_AMOUNT: "much", TRANS_DATE: "20261002" },
  ];
  const whole = await stageRows("motus_insur", items);
  expect(whole).toMatchObject({ rowsRead: 5, kept: 3, newestRowOn: "2026-09-30" });
  expect(whole.rejected).toEqual({ "nothing but its key": 2 });
  expect(whole.repaired).toEqual({ "unreadable amount": 1, "without a docket, kept by USDOT number": 1 });
  expect(whole.rows).toEqual([
    {
      docket: "MC1",
      usdot: 1,
      form_code: "BMC-91X",
      type_code: "1",
      class_code: "E",
      max_coverage: 750_000,
      policy_no: "mrv 3254703-17",
      policy_key: "MRV325470317",
      effective_on: "2026-09-01",
      insurer: "Example Insurer",
      filed_on: "2026-09-30",
    },
    expect.objectContaining({ docket: "DOT2", usdot: 2 }),
    expect.objectContaining({
      docket: "MC5",
      policy_no: null,
      policy_key: "",
      max_coverage: null,
      filed_on: "2026-10-02",
    }),
  ]);
});

// Only in a daily difference has a row without content a meaning: the rows with its key are deleted.
test.each<[Dataset, string[]]>([
  ["motus_carrier", ["DOCKET_NUMBER", "USDOT_NUMBER"]],
  ["motus_authhist", ["DOCKET_NUMBER", "USDOT_NUMBER", "OP_AUTH_TYPE"]],
  ["motus_revokesuspend", ["DOCKET_NUMBER", "USDOT_NUMBER"]],
  ["motus_insur", ["DOCKET_NUMBER"]],
  ["motus_inshist", ["DOCKET_NUMBER", "USDOT_NUMBER"]],
])("%s: a row that is blank except for its key deletes the rows with that key", async (dataset, keys) => {
  const csv = datasetCsv(dataset, [{}, {}]);
  const [header = "", first = "", second = ""] = csv.split("\n");
  const columns = header.replaceAll('"', "").split(",");
  const cells = second.slice(1, -1).split('","');
  const blank = columns
    .map((column, index) => (keys.includes(column) ? cells[index] : ""))
    .map((cell) => `"${cell}"`);
  const files = { "a.csv": [header, first, blank.join(","), ""].join("\n") };
  const whole = await staging.stage(files);
  expect(whole.files[0]).toMatchObject({ kept: 1, rejected: { "nothing but its key": 1 } });
  const difference = await staging.stage(files, { isDifference: true });
  expect(difference.files[0]).toMatchObject({ kept: 1, rejected: {} });
  expect(difference.removalKeys.get(dataset)).toEqual([
    {
      docket: "MC2",
      usdot: keys.includes("USDOT_NUMBER") ? 2 : null,
      opAuthType: keys.includes("OP_AUTH_TYPE") ? "Motor Carrier of Property (Except Household Goods)" : "",
    },
  ]);
});

test("Motus InsHist", async () => {
  const staged = await stageRows("motus_inshist", [
    { FILING_STATUS_REASON: "Cancelled", CANCL_EFFECTIVE_DATE: "", USDOT_NUMBER: "0" },
    { DOCKET_NUMBER: "FF-000031" },
    { DOCKET_NUMBER: " " },
    { FILING_STATUS_REASON: "" },
  ]);
  expect(staged).toMatchObject({ kept: 4, rejected: {}, repaired: { "no status": 1 } });
  // The days of its rows are ends of policies, and do not show the file's age.
  expect(staged.newestRowOn).toBeNull();
  expect(staged.rows).toEqual([
    {
      docket: "MC1",
      usdot: null,
      form_code: "BMC-91X",
      filing_status: "CANCELLED",
      type_code: "1",
      class_code: "P",
      policy_no: "AB 1-0",
      policy_key: "AB10",
      effective_on: "2025-09-01",
      cancelled_on: null,
      insurer: "Example Insurer",
    },
    expect.objectContaining({ docket: "FF31", filing_status: "CANCEL", cancelled_on: "2026-10-20" }),
    expect.objectContaining({ docket: "DOT3", usdot: 3 }),
    expect.objectContaining({ docket: "MC4", filing_status: "unknown" }),
  ]);
});

test("the coverage of Motus Carrier, in dollars", async () => {
  const { rows, repaired } = await stageRows("motus_carrier", [
    {},
    {
      MIN_COV_AMOUNT: "0E-18",
      BIPD_FILE: "0E-18",
      CARGO_REQ: "Y",
      CARGO_FILE: "N",
      BOND_REQ: "Y",
      BOND_FILE: "Y",
    },
    { MIN_COV_AMOUNT: "7.5E+5", BIPD_FILE: "" },
    { MIN_COV_AMOUNT: "-1", BIPD_FILE: "1E300" },
  ]);
  expect(repaired).toEqual({ "unreadable amount": 2 });
  const facts = { cargo_required: false, cargo_on_file: true, bond_required: false, bond_on_file: false };
  expect(rows).toMatchObject([
    { min_coverage: 750_000, bipd_on_file: 1_000_000, ...facts },
    {
      min_coverage: 0,
      bipd_on_file: 0,
      cargo_required: true,
      cargo_on_file: false,
      bond_required: true,
      bond_on_file: true,
    },
    { min_coverage: 750_000, bipd_on_file: null },
    { min_coverage: null, bipd_on_file: null },
  ]);
});
