import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { census, FIXTURES, progress, staged, staging, useExtracts } from "./staged-extracts.ts";

useExtracts();

test("every extract is read completely and recognised by its content", () => {
  expect(
    staged.files.map(({ file, dataset, rowsRead, kept, duplicates }) => [
      file,
      dataset,
      rowsRead,
      kept,
      duplicates,
    ]),
  ).toEqual([
    ["census_company_sample.csv", "census", 53, 53, 0],
    ["legacy_authhist_sample.csv", "legacy_authhist", 6, 6, 0],
    ["legacy_carrier_sample.txt", "legacy_carrier", 3, 3, 0],
    ["legacy_insurance_sample.json (inshist_6sqe-dvqs)", "legacy_inshist", 10, 10, 0],
    ["legacy_insurance_sample.json (insur_ypjt-5ydn)", "legacy_insur", 2, 2, 0],
    ["legacy_insurance_sample.json (actpendinsur_qh9u-swkp)", "legacy_actpendinsur", 1, 1, 0],
    ["legacy_revocation_daily_2024-08-06.txt", "legacy_revocation", 2244, 2189, 55],
    ["motus_carrier_sample.csv", "motus_carrier", 2, 2, 0],
    ["motus_events_sample.json (authhist_yu5v-wbh6)", "motus_authhist", 2, 2, 0],
    ["motus_events_sample.json (insur_c5y8-a4uz)", "motus_insur", 2, 2, 0],
    ["motus_events_sample.json (inshist_3uet-3z4i)", "motus_inshist", 2, 2, 0],
    ["motus_events_sample.json (revokesuspend_wb4f-neki)", "motus_revokesuspend", 2, 2, 0],
  ]);
  for (const { rejected, repaired } of staged.files)
    expect({ rejected, repaired }).toEqual({ rejected: {}, repaired: {} });
});

test("files that are not read are named with the reason", () => {
  const difference = "daily difference of a legacy file, which is not read";
  expect(staged.skipped).toEqual([
    { file: "README.md", why: "not a known registry file" },
    { file: "county_codes_time_zones.csv", why: "not a known registry file" },
    { file: "legacy_insurance_sample.json (inshist_daily_txt_lines_xkmg-ff2t)", why: difference },
    { file: "legacy_insurance_sample.json (actpendinsur_daily_txt_rows_chgs-tx6x)", why: difference },
  ]);
});

test("the real daily Revocation file of 2024-08-06, row by row", async () => {
  const rows = await staging.rows("legacy_revocation");
  const count = (holds: (row: Record<string, unknown>) => boolean) => rows.filter(holds).length;
  // 2,244 lines, of which 55 repeat another. In 8 the USDOT number is 00000000 (two of these are the same line), in one
  // the authority type is blank.
  expect(rows).toHaveLength(2244 - 55);
  const lines = (await readFile(`${FIXTURES}legacy_revocation_daily_2024-08-06.txt`, "utf8")).split("\n");
  const empty = lines.filter((line) => line.split(",")[1] === '"00000000"');
  expect([empty.length, new Set(empty).size]).toEqual([8, 7]);
  expect(count(({ usdot }) => usdot === null)).toBe(7);
  expect(count(({ licence_type }) => licence_type === null)).toBe(1);
  expect(count(({ docket }) => docket === null)).toBe(0);
  expect(new Set(rows.map(({ docket }) => (docket as string).replace(/\d+/, "")))).toEqual(
    new Set(["MC", "FF"]),
  );
  expect(new Set(rows.map(({ usdot }) => usdot)).size).toBe(1406);
  expect(rows[0]).toEqual({
    docket: "MC368053",
    usdot: 830_331,
    licence_type: "COMMON",
    served_on: "2024-06-26",
    order_type: "INVOLUNTARY REVOCATION",
    effective_on: "2024-07-26",
  });
  // Old orders took effect before they were served; 33 days after is the median of all.
  const days = rows
    .filter(({ served_on, effective_on }) => served_on && effective_on)
    .map(
      ({ served_on, effective_on }) =>
        (Date.parse(`${effective_on}`) - Date.parse(`${served_on}`)) / 86_400_000,
    );
  expect([Math.min(...days), Math.max(...days)]).toEqual([-97, 57]);
  expect(days.sort((a, b) => a - b)[days.length >> 1]).toBe(33);
});

test("notices of Motus: by docket with a hyphen, with and without a USDOT number", async () => {
  expect(await staging.rows("motus_revokesuspend")).toEqual([
    {
      docket: "MX255345",
      usdot: null,
      op_auth_type: "Broker",
      authority_class: "broker",
      served_on: "2005-11-22",
      order_type: "INVOLUNTARY REVOCATION",
      effective_on: "2005-12-27",
    },
    {
      docket: "MC424836",
      usdot: null,
      authority_class: "carrier_property",
      served_on: "2026-08-01",
      op_auth_type: "Motor Carrier of Property (Except Household Goods)",
      order_type: "Operating Authority Involuntary Suspension Notice",
      effective_on: "2026-09-20",
    },
  ]);
});

test("the legacy text file without header is read by position", async () => {
  const rows = await staging.rows("legacy_carrier");
  expect(rows.map(({ docket }) => docket)).toEqual(["MC12892", "MC675", "MC139446"]);
  expect(rows[1]).toEqual({
    docket: "MC675",
    usdot: 124_159,
    common_stat: "I",
    contract_stat: "I",
    broker_stat: "N",
    common_pending: false,
    contract_pending: false,
    broker_pending: false,
    common_revoking: false,
    contract_revoking: false,
    broker_revoking: false,
    property: false,
    passenger: true,
    household_goods: false,
    legal_name: "A&M TRANSIT LINES, LLC",
    dba_name: null,
    street: "170 EAST PROSPECT STREET",
    city: "ALLIANCE",
    state: "OH",
    zip: "44601",
    country: "US",
    phone: "3305550143",
    // 05000 and 01500 thousands.
    min_coverage: 5_000_000,
    bipd_on_file: 1_500_000,
  });
  expect(rows[0]).toMatchObject({ usdot: 2_217_388, broker_stat: "I", dba_name: "J Q SAMPLE", phone: null });
  expect(rows[0]).toMatchObject({ min_coverage: 0, bipd_on_file: 0 });
  expect(rows[2]).toMatchObject({ common_stat: "A", household_goods: true, property: false });
});

test("rows of the portal's API are read with missing fields as empty", async () => {
  const rows = await staging.rows("motus_authhist");
  expect(rows).toContainEqual({
    docket: "MC647",
    usdot: 85_526,
    op_auth_type: "Broker of Property",
    authority_class: "broker",
    status: "inactive",
    reason: "REVOKED",
    changed_on: "1992-02-27",
  });
});

test("oddities of the census are kept as they are or read as unknown", () => {
  // The registry's own record; feeds decide whether to show it.
  expect(census.get(1)).toMatchObject({
    status_code: "A",
    state: "DC",
    phone: "2025555555",
    power_units: 91,
  });
  // 4040000000 in the file.
  expect(census.get(203)).toMatchObject({ phone: null, email: null, power_units: 7 });
  // Dockets with the opposite status are beside these two: no status follows from the other.
  expect(census.get(254)).toMatchObject({ status_code: "A", general_freight: true, county_fips: "059" });
  expect(census.get(45)?.status_code).toBe("I");
  expect(census.get(65)?.status_code).toBe("I");
  expect(census.get(100)?.status_code).toBe("I");
  // The power units, not the trucks among them.
  expect(census.get(59)?.power_units).toBe(2);
  expect(census.get(241)?.power_units).toBe(18);
  // The physical state, not the mailing state.
  expect(census.get(264)?.state).toBe("OH");
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
  expect(last.size).toBe(12);
});
