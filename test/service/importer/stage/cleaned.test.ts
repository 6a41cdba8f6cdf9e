import { expect, test } from "vitest";
import { stageRows, useStaging } from "./staged-rows.ts";

useStaging();

test("any text becomes one clean line", async () => {
  const names = [
    "TAB\tHERE",
    "TWO\nLINES",
    "BACK\\SLASH \\N \\.",
    "NUL\0HERE",
    "\u202eTURNED\u202c \u2068AROUND\u2069",
    "  BLANKS   ",
    "\\N",
    "ÅßÇ 株式",
  ];
  const { rows } = await stageRows(
    "census",
    names.map((name) => ({ LEGAL_NAME: name })),
  );
  expect(rows.map(({ legal_name }) => legal_name)).toEqual([
    "TAB HERE",
    "TWO LINES",
    "BACK\\SLASH \\N \\.",
    "NUL HERE",
    "TURNED AROUND",
    "BLANKS",
    "\\N",
    "ÅßÇ 株式",
  ]);
});

// Longer than the contract lets a column be: a client that validates refuses the whole page.
test("texts are as long as the contract says at most, in whole characters, and ZIP codes and e-mails whole or none", async () => {
  const fits = "N".repeat(120);
  const [flags, quoted] = ["\u{1f69a}".repeat(121), `${"N".repeat(118)} "Q" LLC`];
  const census = await stageRows("census", [
    { LEGAL_NAME: `${fits}X`, DBA_NAME: `${"D".repeat(119)} TOO LONG` },
    { LEGAL_NAME: flags, DBA_NAME: quoted, PHY_STREET: "S".repeat(51), PHY_CITY: "C".repeat(31) },
    {
      LEGAL_NAME: `  ${fits}  `,
      PHY_ZIP: "75001-1234 DALLAS",
      EMAIL_ADDRESS: `${"e".repeat(64)}@example-freight.com`,
    },
    { PHY_ZIP: "75001-1234", EMAIL_ADDRESS: `${"e".repeat(60)}@example-freight.com` },
  ]);
  expect(census.rows).toMatchObject([
    { legal_name: fits, dba_name: "D".repeat(119) },
    {
      legal_name: "\u{1f69a}".repeat(120),
      dba_name: `${"N".repeat(118)} "`,
      street: "S".repeat(50),
      city: "C".repeat(30),
    },
    { legal_name: fits, zip: null, email: null },
    { zip: "75001-1234", email: `${"e".repeat(60)}@example-freight.com` },
  ]);
  const [cut, dropped] = [
    "text longer than its column, cut",
    "ZIP code or e-mail longer than its column, left out",
  ];
  expect(census.repaired).toEqual({ [cut]: 6, [dropped]: 2 });

  for (const [dataset, column, stored, most] of [
    ["motus_carrier", "LEGAL_NAME", "legal_name", 120],
    ["legacy_carrier", "BUS_STREET_PO", "street", 50],
    ["motus_authhist", "REASON", "reason", 400],
    ["motus_revokesuspend", "ORDER1_TYPE_DESC", "order_type", 120],
    ["oos_order", "OOS_REASON", "reason", 200],
    ["motus_insur", "INSURANCE_COMPANY_NAME", "insurer", 120],
    ["legacy_insur", "name_company", "insurer", 120],
  ] as const) {
    const { rows, repaired } = await stageRows(dataset, [{ [column]: "X".repeat(500) }]);
    expect(rows[0]?.[stored]).toBe("X".repeat(most));
    expect(repaired?.[cut]).toBe(1);
  }
});

test("a country that its state contradicts is unknown, also where it is blank", async () => {
  const places = ["SO US", "SO   ", "ON CA", "TX US", "AE US", "   US", "TX MX"];
  const { rows } = await stageRows(
    "census",
    places.map((place) => ({ PHY_STATE: place.slice(0, -3).trim(), PHY_COUNTRY: place.slice(-2).trim() })),
  );
  expect(rows.map(({ country }) => country)).toEqual(["UNKNOWN", "UNKNOWN", "CA", "US", "US", "US", "MX"]);
});

test("contacts, counts and codes of the census are normalised or unknown", async () => {
  const { rows } = await stageRows("census", [
    { PHONE: "1 (512) 555-0100", CELL_PHONE: "555", EMAIL_ADDRESS: "Office@Example.COM", PHY_CNTY: "000" },
    { POWER_UNITS: "101844", TOTAL_DRIVERS: "", PHY_STATE: " on ", PHY_COUNTRY: "", CARRIER_OPERATION: "" },
    { POWER_UNITS: "0", PHY_ZIP: "02194", EMAIL_ADDRESS: "none", CRGO_GENFREIGHT: " ", PHY_CNTY: "005" },
  ]);
  expect(rows).toMatchObject([
    { phone: "5125550100", cell_phone: null, email: "office@example.com", county_fips: null },
    { power_units: null, drivers: null, state: "ON", country: "UNKNOWN", carrier_operation: null },
    { power_units: 0, zip: "02194", email: null, general_freight: false, county_fips: "005" },
  ]);
});

// Dots part no legal form. At the begin of a name they stand between the first names of a person.
test.each([
  ["KESTREL RANCH L.P.", false],
  ["KESTREL RANCH LP", false],
  ["BAKER HAULING P.C.", false],
  ["BAKER HAULING, P.L.L.C", false],
  ["P.A. SAMPLE", true],
  ["JOHN A.B. SAMPLE", true],
])("%s is a natural person: %s", async (name, isPerson) => {
  const { rows } = await stageRows("census", [{ LEGAL_NAME: name, BUSINESS_ORG_ID: "" }]);
  expect(rows).toMatchObject([{ is_individual: isPerson }]);
});
