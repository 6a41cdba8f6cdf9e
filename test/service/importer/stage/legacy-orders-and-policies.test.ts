import { expect, test } from "vitest";
import { stageRows, useStaging } from "./staged-rows.ts";

useStaging();

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
