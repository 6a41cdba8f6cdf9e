import { describe, expect, test } from "vitest";
import { datasetCsv } from "./plain-rows.ts";
import { stageRows, staging, useStaging } from "./staged-rows.ts";

useStaging();

describe("rows that cannot be kept are left out and counted by reason:", () => {
  test("census", async () => {
    const staged = await stageRows("census", [
      {},
      { DOT_NUMBER: "0" },
      { DOT_NUMBER: "none" },
      { DOT_NUMBER: "00000001", LEGAL_NAME: "THE SAME NUMBER AGAIN" },
      { STATUS_CODE: " " },
      { STATUS_CODE: "Q" },
      { STATUS_CODE: "p" },
    ]);
    expect(staged).toMatchObject({ rowsRead: 7, kept: 2, duplicates: 0, repaired: {} });
    expect(staged.rejected).toEqual({
      "no USDOT number": 2,
      "USDOT number repeated": 1,
      "no status": 1,
      "unknown status": 1,
    });
    // Of rows with a repeated number, the first one stays.
    expect(staged.rows).toMatchObject([
      { usdot: 1, legal_name: "CARRIER 1 LLC" },
      { usdot: 7, status_code: "P" },
    ]);
  });

  test("Motus Carrier", async () => {
    const staged = await stageRows("motus_carrier", [
      {},
      { DOCKET_NUMBER: "" },
      { USDOT_NUMBER: "0" },
      { OP_AUTH_STATUS: "Paused" },
      { OP_AUTH_STATUS: "" },
      { OP_AUTH_TYPE: "Drone Operator" },
    ]);
    expect(staged).toMatchObject({ rowsRead: 6, kept: 5 });
    expect(staged.rejected).toEqual({ "no USDOT number": 1 });
    expect(staged.repaired).toEqual({
      "unknown status": 1,
      "no status": 1,
      "unknown authority type": 1,
      "without a docket, kept by USDOT number": 1,
    });
    expect(staged.unknownValues).toEqual({
      OP_AUTH_STATUS: { Paused: 1, "": 1 },
      OP_AUTH_TYPE: { "Drone Operator": 1 },
    });
    expect(staged.rows.map(({ status, authority_class }) => [status, authority_class])).toEqual([
      ["active", "carrier_property"],
      ["active", "carrier_property"],
      ["paused", "carrier_property"],
      ["unknown", "carrier_property"],
      ["active", "unknown"],
    ]);
  });

  test("Motus AuthHist", async () => {
    const staged = await stageRows("motus_authhist", [
      { USDOT_NUMBER: "0", REASON: "Withdrawn by Jane.Doe@example.com" },
      { DOCKET_NUMBER: "-" },
      { STATUS_CHANGE_DATE: "02010930" },
      { STATUS_CHANGE_DATE: "20281002" },
      { STATUS_CHANGE_DATE: "20261002" },
      { STATUS_CHANGE_DATE: "" },
    ]);
    expect(staged).toMatchObject({ rejected: {}, repaired: { "corrupt date": 2 } });
    // Tomorrow's row is kept, and does not make the file newer than today.
    expect(staged.rows.map(({ changed_on }) => changed_on)).toEqual([
      "2026-09-30",
      "2026-09-30",
      null,
      null,
      "2026-10-02",
      null,
    ]);
    expect(staged.newestRowOn).toBe("2026-09-30");
    expect(staged.rows[0]).toMatchObject({ usdot: null, reason: "Withdrawn by [e-mail removed]" });
  });

  test("legacy Carrier", async () => {
    const staged = await stageRows("legacy_carrier", [
      { COMMON_REV_PEND: "Y", BROKER_APP_PEND: "Y", HHG_CHK: "Y", CONTRACT_STAT: " " },
      { DOCKET_NUMBER: "MC000000" },
      { BROKER_STAT: "Z", DOT_NUMBER: "00000000" },
    ]);
    expect(staged.rejected).toEqual({ "no docket": 1 });
    expect(staged.repaired).toEqual({ "unknown common, contract or broker status": 1 });
    expect(staged.rows).toMatchObject([
      { usdot: 1, contract_stat: null, common_revoking: true, broker_pending: true, household_goods: true },
      {
        usdot: null,
        broker_stat: null,
        common_revoking: false,
        broker_pending: false,
        household_goods: false,
      },
    ]);
  });

  test("legacy AuthHist", async () => {
    const staged = await stageRows("legacy_authhist", [
      { ORIGINAL_ACTION_DESC: " granted ", DISP_ACTION_DESC: "Revoked", DISP_SERVED_DATE: "05/14/2026" },
      { ORIGINAL_ACTION_DESC: "" },
      // No row of the legacy registry is newer than its last day.
      { ORIG_SERVED_DATE: "05/15/2026" },
      { ORIG_SERVED_DATE: "13/01/2020", OP_AUTH_TYPE: "WATER" },
      { DOCKET_NUMBER: "" },
      { DOCKET_NUMBER: "FF000006" },
    ]);
    expect(staged.rejected).toEqual({ "no action": 1, "no docket": 1 });
    expect(staged.repaired).toEqual({ "corrupt date": 2, "unknown authority type": 1 });
    expect(staged.rows).toMatchObject([
      { action: "GRANTED", action_on: "1986-07-18", final_action: "REVOKED", final_on: "2026-05-14" },
      { action_on: null, final_action: null, final_on: null },
      { action_on: null, authority_class: "unknown" },
      { docket: "FF6", op_auth_type: "COMMON", authority_class: "freight_forwarder" },
    ]);
  });

  test("a row with another number of fields, not at the end of the file", async () => {
    const lines = datasetCsv("motus_authhist", [{}, {}, {}]).split("\n");
    const content = [lines[0], lines[1], '"MC9","9"', lines[2], lines[3], ""].join("\n");
    const { files } = await staging.stage({ "a.csv": content });
    expect(files[0]).toMatchObject({ rowsRead: 4, kept: 3, rejected: { "wrong number of columns": 1 } });
  });
});

test.each([
  ["plain", (text: string) => text],
  ["with quotes in it", (text: string) => `a "quoted" ${text}`],
])("a row with a value that is longer than any of the registry is left out: %s", async (_name, spelled) => {
  const staged = await stageRows("motus_authhist", [
    { REASON: spelled("x".repeat(900)) },
    { REASON: spelled("x".repeat(1_100)) },
    { REASON: "Granted" },
  ]);
  expect(staged).toMatchObject({ rowsRead: 3, kept: 2, rejected: { "value of more than 1000 bytes": 1 } });
});

test("repeated rows are dropped, rows that differ in any cell stay", async () => {
  const same = { DOCKET_NUMBER: "MC5", USDOT_NUMBER: "5" };
  const staged = await stageRows("motus_authhist", [
    same,
    same,
    { DOCKET_NUMBER: "MC-0000005", USDOT_NUMBER: "00000005" },
    { ...same, REASON: "GRANTED" },
    { ...same, USDOT_NUMBER: "" },
  ]);
  expect(staged).toMatchObject({ rowsRead: 5, kept: 3, duplicates: 2, rejected: {} });
});

test("a row has the same id in every file", async () => {
  const ids = async () =>
    (await staging.context.db.pool.query("SELECT row_id FROM staging.motus_authhist")).rows;
  await stageRows("motus_authhist", [{}]);
  const first = await ids();
  const row = {
    status_change_date: "20260930",
    reason: "Granted",
    op_auth_status: "Active",
    docket_number: "MC1",
    usdot_number: "1",
    op_auth_type: "Motor Carrier of Property (Except Household Goods)",
  };
  await staging.stage({ "a.json": JSON.stringify([row]) });
  expect(await ids()).toEqual(first);
});
