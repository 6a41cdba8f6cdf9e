import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { census, FIXTURES, staged, staging, useExtracts } from "./staged-extracts.ts";
import { openStaging } from "./staging.ts";

useExtracts();

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
