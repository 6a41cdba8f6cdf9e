import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stageFolder } from "../../../../src/importer/stage/stage.ts";
import type { StagedSet } from "../../../../src/importer/stage/staged-set.ts";
import { openStaging, type Staging, TODAY } from "./staging.ts";

// The real extracts: every row of them is known.
const FIXTURES = fileURLToPath(new URL("../../../fixtures/fmcsa/", import.meta.url));

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

test("policies of USDOT 295017 are the same from Motus and from the legacy registry", async () => {
  const motus = await staging.rows("motus_insur");
  expect(motus[1]).toEqual({
    docket: "MC139446",
    usdot: 295_017,
    form_code: "BMC-91X",
    type_code: "1",
    class_code: "P",
    max_coverage: 1_000_000,
    policy_no: "MRV 3254703-17",
    policy_key: "MRV325470317",
    effective_on: "2025-01-01",
    insurer: "Vanliner Insurance Company",
    filed_on: "2024-12-30",
  });
  const legacy = await staging.rows("legacy_insur");
  expect(legacy[0]).toEqual({
    docket: "MC139446",
    type_code: "1",
    class_code: "P",
    max_coverage: 1_000_000,
    policy_no: "MRV 3254703-17",
    policy_key: "MRV325470317",
    effective_on: "2025-01-01",
    form_code: "91X",
    insurer: "VANLINER INSURANCE COMPANY",
  });
  const ended = await staging.rows("legacy_inshist");
  expect(ended.filter(({ filing_status }) => filing_status === "CANCEL")).toEqual([
    {
      docket: "MC139446",
      usdot: 295_017,
      form_code: "91X",
      filing_status: "CANCEL",
      type_code: "1",
      policy_no: "TRU100515",
      policy_key: "TRU100515",
      effective_on: "1988-03-01",
      cancelled_on: "2003-04-17",
      insurer: "VANLINER INSURANCE COMPANY",
    },
  ]);
  expect(ended.filter(({ type_code }) => type_code === "2")).toHaveLength(6);
  expect(await staging.rows("legacy_actpendinsur")).toEqual([
    {
      docket: "MC421775",
      usdot: 344_554,
      form_code: "91X",
      insurance_type: "BIPD/Primary",
      insurer: "NATIONWIDE AGRIBUSINESS INSURANCE CO.",
      policy_no: "CPP101046A",
      policy_key: "CPP101046A",
      filed_on: "2015-01-05",
      max_coverage: 1_000_000,
      effective_on: "2015-01-01",
      cancelled_on: null,
    },
  ]);
});

test("ended policies, in words of both registries", async () => {
  expect(await staging.rows("motus_inshist")).toEqual([
    {
      docket: "FF12038",
      usdot: 2_434_068,
      form_code: "BMC-91X",
      filing_status: "CANCEL",
      type_code: "1",
      class_code: "P",
      policy_no: "EBA 020 91 81",
      policy_key: "EBA0209181",
      effective_on: "2013-09-06",
      cancelled_on: "2026-09-24",
      insurer: "Example Insurer",
    },
    {
      docket: "FF31",
      usdot: null,
      form_code: "BMC-85",
      filing_status: "CANCELLED",
      type_code: "4",
      class_code: null,
      policy_no: "TP9458318",
      policy_key: "TP9458318",
      effective_on: "1986-01-01",
      cancelled_on: "2004-09-23",
      insurer: "NATIONAL FIRE INSURANCE CO.",
    },
  ]);
});

test("real lines of the legacy text files, some with numbers without quotes", async () => {
  const sample = JSON.parse(await readFile(`${FIXTURES}legacy_insurance_sample.json`, "utf8"));
  const [pending] = sample["actpendinsur_daily_txt_rows_chgs-tx6x"] as string[][];
  const other = await openStaging();
  const { files } = await other.stage({
    "inshist.txt": `${sample["inshist_daily_txt_lines_xkmg-ff2t"][0]}\n`,
    "actpendins.txt": `${pending?.map((field) => `"${field}"`).join(",")}\n`,
  });
  expect(files.map(({ dataset, kept }) => [dataset, kept])).toEqual([
    ["legacy_actpendinsur", 1],
    ["legacy_inshist", 1],
  ]);
  expect(await other.rows("legacy_inshist")).toMatchObject([
    {
      docket: "MC191611",
      usdot: 280_055,
      policy_key: "T0201715DM",
      type_code: "1",
      cancelled_on: "1995-04-16",
    },
  ]);
  expect(await other.rows("legacy_actpendinsur")).toMatchObject([
    { docket: "MC1808911", max_coverage: 300_000, effective_on: "2027-05-09", cancelled_on: "2027-06-13" },
  ]);
  await other.close();
});

// The newest MCS150_DATE or ADD_DATE of the sample.
const CENSUS_DAY = "2026-03-18";

test("each live file has the day of its newest row", () => {
  expect(staged.newestByDataset).toEqual(
    new Map([
      ["motus_authhist", "2021-06-15"],
      ["motus_insur", "2024-12-30"],
      ["motus_revokesuspend", "2026-08-01"],
      ["census", CENSUS_DAY],
    ]),
  );
  expect(staged.profiles.get("legacy_authhist")?.newestRowOn).toBe("2026-02-25");
  expect(staged.profiles.get("census")).toMatchObject({
    rows: 53,
    newestRowOn: CENSUS_DAY,
    byState: { GA: 28, WA: 1 },
  });
});

test("USDOT 295017 is the same in every file that has it", async () => {
  expect(census.get(295_017)).toEqual({
    usdot: 295_017,
    status_code: "A",
    legal_name: "UNITED MOVING AND STORAGE INC",
    dba_name: null,
    street: "1770 NE FUSON RD",
    city: "BREMERTON",
    state: "WA",
    zip: "98311-3729",
    county_fips: "035",
    country: "US",
    prior_usdot: null,
    phone: "3605550148",
    cell_phone: null,
    email: "carrier295017@example.com",
    power_units: 18,
    drivers: 24,
    general_freight: false,
    carrier_operation: "A",
    hazmat: false,
    // Bit 1, household goods.
    cargo: 2,
    safety_rating: null,
    safety_rating_on: null,
    updated_on: "2025-05-28",
    annual_mileage: 10_000,
    mileage_year: 2019,
    added_on: "1987-06-10",
    is_individual: false,
  });
  const [motus] = (await staging.rows("motus_carrier")).filter(({ usdot }) => usdot === 295_017);
  expect(motus).toEqual({
    docket: "MC139446",
    usdot: 295_017,
    op_auth_type: "Motor Carrier of Household Goods",
    authority_class: "carrier_hhg",
    status: "active",
    legal_name: "UNITED MOVING AND STORAGE INC",
    dba_name: null,
    street: "1770 NE FUSON RD",
    city: "BREMERTON",
    state: "WA",
    zip: "98311-3729",
    country: "US",
    phone: "3605550142",
    min_coverage: 750_000,
    bipd_on_file: 1_000_000,
    cargo_required: true,
    cargo_on_file: true,
    bond_required: false,
    bond_on_file: false,
  });
  const grants = (await staging.rows("legacy_authhist")).filter(({ usdot }) => usdot === 295_017);
  expect(grants).toContainEqual({
    docket: "MC139446",
    usdot: 295_017,
    op_auth_type: "HOUSEHOLD GOODS COMMON CARRIER",
    authority_class: "carrier_hhg",
    action: "GRANTED",
    action_on: "1986-07-18",
    final_action: "REVOKED",
    final_on: "2021-06-08",
  });
  expect(grants).toContainEqual(
    expect.objectContaining({ op_auth_type: "COMMON", authority_class: "carrier" }),
  );
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
