import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type StagedSet, stageFolder } from "../../src/importer/stage.ts";
import { openStaging, type Staging, TODAY } from "./staging.ts";

// The real extracts: what stands in them is known row by row.
const FIXTURES = fileURLToPath(new URL("../fixtures/fmcsa/", import.meta.url));

let staging: Staging;
let staged: StagedSet;
let census: Map<number, Record<string, unknown>>;
const progress: { file: string; readBytes: number; sizeBytes: number; rows: number }[] = [];

beforeAll(async () => {
  staging = await openStaging();
  staged = await stageFolder(staging.context, {
    dir: FIXTURES,
    today: TODAY,
    onProgress: (shown) => progress.push(shown),
  });
  census = new Map((await staging.rows("census")).map((row) => [row.usdot as number, row]));
});

afterAll(() => staging.close());

test("every extract is read whole and told by what stands in it", () => {
  expect(staged.files.map(({ file, dataset, rowsRead, kept }) => [file, dataset, rowsRead, kept])).toEqual([
    ["census_company_sample.csv", "census", 53, 53],
    ["legacy_authhist_sample.csv", "legacy_authhist", 6, 6],
    ["legacy_carrier_sample.txt", "legacy_carrier", 3, 3],
    ["motus_carrier_sample.csv", "motus_carrier", 2, 2],
    ["motus_events_sample.json (authhist_yu5v-wbh6)", "motus_authhist", 2, 2],
  ]);
  for (const { rejected, repaired, duplicates } of staged.files)
    expect({ rejected, repaired, duplicates }).toEqual({ rejected: {}, repaired: {}, duplicates: 0 });
});

test("what is not read is named with the reason", () => {
  expect(staged.skipped).toEqual([
    { file: "README.md", why: "no registry file that is known here" },
    { file: "county_codes_time_zones.csv", why: "no registry file that is known here" },
    {
      file: "legacy_insurance_sample.json (inshist_6sqe-dvqs)",
      why: "legacy InsHist, which is not read yet",
    },
    {
      file: "legacy_insurance_sample.json (inshist_daily_txt_lines_xkmg-ff2t)",
      why: "legacy InsHist, which is not read yet",
    },
    { file: "legacy_insurance_sample.json (insur_ypjt-5ydn)", why: "legacy Insur, which is not read yet" },
    {
      file: "legacy_insurance_sample.json (actpendinsur_qh9u-swkp)",
      why: "legacy ActPendInsur, which is not read yet",
    },
    {
      file: "legacy_insurance_sample.json (actpendinsur_daily_txt_rows_chgs-tx6x)",
      why: "legacy ActPendInsur, which is not read yet",
    },
    { file: "legacy_revocation_daily_2024-08-06.txt", why: "legacy Revocation, which is not read yet" },
    { file: "motus_events_sample.json (insur_c5y8-a4uz)", why: "Motus Insur, which is not read yet" },
    { file: "motus_events_sample.json (inshist_3uet-3z4i)", why: "Motus InsHist, which is not read yet" },
    {
      file: "motus_events_sample.json (revokesuspend_wb4f-neki)",
      why: "Motus RevokeSuspend, which is not read yet",
    },
  ]);
});

test("the newest row is that of the live history", () => {
  expect(staged.newestRowOn).toBe("2021-06-15");
  expect(staged.profiles.get("legacy_authhist")?.newestRowOn).toBe("2026-02-25");
  expect(staged.profiles.get("census")).toMatchObject({
    rows: 53,
    newestRowOn: null,
    byState: { GA: 28, WA: 1 },
  });
});

test("USDOT 295017 reads the same in every file it stands in", async () => {
  expect(census.get(295_017)).toEqual({
    ...{ usdot: 295_017, status_code: "A", legal_name: "UNITED MOVING AND STORAGE INC", dba_name: null },
    ...{ street: "1770 NE FUSON RD", city: "BREMERTON", state: "WA", zip: "98311-3729", county_fips: "035" },
    ...{ country: "US", phone: "3605550148", cell_phone: null, email: "carrier295017@example.com" },
    ...{ power_units: 18, drivers: 24, general_freight: false, carrier_operation: "A" },
  });
  const [motus] = (await staging.rows("motus_carrier")).filter(({ usdot }) => usdot === 295_017);
  expect(motus).toEqual({
    ...{ docket: "MC139446", usdot: 295_017, op_auth_type: "Motor Carrier of Household Goods" },
    ...{ authority_class: "carrier_hhg", status: "active", legal_name: "UNITED MOVING AND STORAGE INC" },
    ...{ dba_name: null, street: "1770 NE FUSON RD", city: "BREMERTON", state: "WA", zip: "98311-3729" },
    ...{ country: "US", phone: "3605550142" },
  });
  const grants = (await staging.rows("legacy_authhist")).filter(({ usdot }) => usdot === 295_017);
  expect(grants).toContainEqual({
    ...{ docket: "MC139446", usdot: 295_017, op_auth_type: "HOUSEHOLD GOODS COMMON CARRIER" },
    ...{ authority_class: "carrier_hhg", action: "GRANTED", action_on: "1986-07-18" },
    ...{ final_action: "REVOKED", final_on: "2021-06-08" },
  });
  expect(grants).toContainEqual(
    expect.objectContaining({ op_auth_type: "COMMON", authority_class: "carrier" }),
  );
});

test("the legacy text file without header is read by position", async () => {
  const rows = await staging.rows("legacy_carrier");
  expect(rows.map(({ docket }) => docket)).toEqual(["MC12892", "MC675", "MC139446"]);
  expect(rows[1]).toEqual({
    ...{ docket: "MC675", usdot: 124_159, common_stat: "I", contract_stat: "I", broker_stat: "N" },
    ...{ common_pending: false, contract_pending: false, broker_pending: false },
    ...{ common_revoking: false, contract_revoking: false, broker_revoking: false },
    ...{ property: false, passenger: true, household_goods: false },
    ...{ legal_name: "A&M TRANSIT LINES, LLC", dba_name: null, street: "170 EAST PROSPECT STREET" },
    ...{ city: "ALLIANCE", state: "OH", zip: "44601", country: "US", phone: "3305550143" },
  });
  expect(rows[0]).toMatchObject({ usdot: 2_217_388, broker_stat: "I", dba_name: "J Q SAMPLE", phone: null });
  expect(rows[2]).toMatchObject({ common_stat: "A", household_goods: true, property: false });
});

test("rows of the portal's API are read with the fields they leave out as empty", async () => {
  const rows = await staging.rows("motus_authhist");
  expect(rows).toContainEqual({
    ...{ docket: "MC647", usdot: 85_526, op_auth_type: "Broker of Property", authority_class: "broker" },
    ...{ status: "inactive", reason: "REVOKED", changed_on: "1992-02-27" },
  });
});

test("oddities of the census are kept as they are or read as unknown", () => {
  // The registry's own record; whether it is shown is for the feeds to say.
  expect(census.get(1)).toMatchObject({
    status_code: "A",
    state: "DC",
    phone: "2025555555",
    power_units: 91,
  });
  // 4040000000 in the file.
  expect(census.get(203)).toMatchObject({ phone: null, email: null, power_units: 7 });
  // Dockets of the other status stand beside these two: neither says anything of the other.
  expect(census.get(254)).toMatchObject({ status_code: "A", general_freight: true, county_fips: "059" });
  expect(census.get(45)?.status_code).toBe("I");
  // One docket twice in its row.
  expect(census.get(20)).toMatchObject({ status_code: "I", state: "CA", general_freight: false });
});

test("progress ends with each file's size and rows", () => {
  const last = new Map(progress.map((shown) => [shown.file, shown]));
  expect(last.get("census_company_sample.csv")).toMatchObject({
    rows: 53,
    readBytes: 21_480,
    sizeBytes: 21_480,
  });
  expect(last.size).toBe(5);
});
