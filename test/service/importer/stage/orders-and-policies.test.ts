import { afterAll, beforeAll, expect, test } from "vitest";
import type { Dataset } from "../../../../src/registry/datasets.ts";
import { datasetCsv } from "./plain-rows.ts";
import { openStaging, type Staging } from "./staging.ts";

let staging: Staging;

beforeAll(async () => {
  staging = await openStaging();
});

afterAll(() => staging.close());

/** Stages one dataset's rows: the counts of the file, and the rows. */
async function stageRows(dataset: Dataset, items: Record<string, string>[], options = {}) {
  const { files } = await staging.stage({ [`${dataset}.csv`]: datasetCsv(dataset, items) }, options);
  return { ...files[0], rows: await staging.rows(dataset) };
}

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

test("legacy Revocation", async () => {
  const staged = await stageRows("legacy_revocation", [
    { DOCKET_NUMBER: "FF058485" },
    { DOT_NUMBER: "00000000", DOCKET_NUMBER: "" },
    { DOCKET_NUMBER: "", TYPE_LICENSE: "" },
    { DOT_NUMBER: "00000000", ORDER2_TYPE_DESC: "" },
    // An order of the last day takes effect later, but none was served later.
    { ORDER1_SERVE_DATE: "05/15/2026", order2_effective_Date: "06/16/2026" },
  ]);
  expect(staged).toMatchObject({
    rejected: { "neither docket nor USDOT number": 1 },
    newestRowOn: "2024-06-26",
  });
  expect(staged.repaired).toEqual({ "corrupt date": 1 });
  expect(staged.rows).toEqual([
    {
      docket: "FF58485",
      usdot: 1,
      licence_type: "COMMON",
      served_on: "2024-06-26",
      order_type: "INVOLUNTARY REVOCATION",
      effective_on: "2024-07-26",
    },
    expect.objectContaining({ docket: null, usdot: 3, licence_type: null }),
    expect.objectContaining({ docket: "MC4", usdot: null, order_type: null }),
    expect.objectContaining({ served_on: null, effective_on: "2026-06-16" }),
  ]);
});

test("legacy Insur, in thousands of dollars", async () => {
  const nothing = { ins_type_code: "", ins_class_code: "", max_cov_amount: "00000", policy_no: "" };
  const staged = await stageRows("legacy_insur", [
    {},
    { ins_type_code: "2", ins_class_code: " ", max_cov_amount: "00000", policy_no: "" },
    { prefix_docket_number: "" },
    { ...nothing, effective_date: "", ins_form_code: "", name_company: "" },
  ]);
  expect(staged.rejected).toEqual({ "no docket": 1, "no policy": 1 });
  expect(staged.rows).toEqual([
    {
      docket: "MC1",
      type_code: "1",
      class_code: "P",
      max_coverage: 1_000_000,
      policy_no: "AB 1",
      policy_key: "AB1",
      effective_on: "2025-01-01",
      form_code: "91X",
      insurer: "EXAMPLE INSURER",
    },
    expect.objectContaining({ type_code: "2", class_code: null, max_coverage: 0, policy_key: "" }),
  ]);
});

test("legacy ActPendInsur, in thousands of dollars that are not padded", async () => {
  const staged = await stageRows("legacy_actpendinsur", [
    { cancl_effective_date: "06/13/2027" },
    { DOCKET_NUMBER: "", max_cov_amount: "" },
    { DOT_NUMBER: "", trans_date: "05/15/2026" },
  ]);
  expect(staged).toMatchObject({ rejected: { "no docket": 1 }, repaired: { "corrupt date": 1 } });
  expect(staged.rows).toEqual([
    {
      docket: "MC1",
      usdot: 1,
      form_code: "91X",
      insurance_type: "BIPD/Primary",
      insurer: "EXAMPLE INSURER",
      policy_no: "AB 1",
      policy_key: "AB1",
      filed_on: "2025-01-05",
      max_coverage: 1_000_000,
      effective_on: "2025-01-01",
      cancelled_on: "2027-06-13",
    },
    expect.objectContaining({ docket: "MC3", usdot: null, filed_on: null, cancelled_on: null }),
  ]);
});

test("legacy InsHist", async () => {
  const staged = await stageRows("legacy_inshist", [
    {},
    { ins_type_desc: "BIPD/Excess", cancl_method: "", cancl_method_gen: "Cancelled" },
    { ins_type_desc: "SURETY", cancl_effective_date: "01/01/0189" },
    { ins_type_desc: "TRUST FUND", dot_number: "" },
    { ins_type_desc: "MARINE" },
    { docket_number: "" },
  ]);
  expect(staged.rejected).toEqual({ "no docket": 1 });
  expect(staged.repaired).toEqual({ "corrupt date": 1, "unknown insurance type": 1 });
  expect(staged.rows.map(({ type_code }) => type_code)).toEqual(["2", "1", "3", "4", null]);
  expect(staged.rows.slice(0, 2)).toEqual([
    {
      docket: "MC1",
      usdot: 1,
      form_code: "34",
      filing_status: "TERM/REPL",
      type_code: "2",
      policy_no: "C 1",
      policy_key: "C1",
      effective_on: "2018-01-01",
      cancelled_on: "2023-01-01",
      insurer: "EXAMPLE INSURER",
    },
    expect.objectContaining({ filing_status: "CANCELLED" }),
  ]);
});
