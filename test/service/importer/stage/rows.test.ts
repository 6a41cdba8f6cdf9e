import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Dataset } from "../../../../src/registry/datasets.ts";
import { datasetCsv } from "./plain-rows.ts";
import { openStaging, type Staging } from "./staging.ts";

let staging: Staging;

beforeAll(async () => {
  staging = await openStaging();
});

afterAll(() => staging.close());

/** Stages one dataset's rows: the counts of the file, and the rows. */
async function stageRows(dataset: Dataset, items: Record<string, string>[]) {
  const { files } = await staging.stage({ [`${dataset}.csv`]: datasetCsv(dataset, items) });
  return { ...files[0], rows: await staging.rows(dataset) };
}

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

describe("the form of a file does not matter:", () => {
  const plain = datasetCsv("census", [{ LEGAL_NAME: "PEÑA, BROS" }, { DBA_NAME: 'THE "OLD" ONE' }]);
  const expected = [
    { usdot: 1, legal_name: "PEÑA, BROS", phone: "5125550001", general_freight: true },
    { usdot: 2, dba_name: 'THE "OLD" ONE' },
  ];
  const reversed = plain.replaceAll(/.+/g, (line) =>
    (line.match(/"(?:[^"]|"")*"/g) ?? []).reverse().join(","),
  );
  const forms: [what: string, content: string | Buffer][] = [
    ["unchanged", plain],
    ["gzip with any name", gzipSync(plain)],
    ["two gzip members in a row", Buffer.concat([gzipSync(plain.slice(0, 300)), gzipSync(plain.slice(300))])],
    ["a byte order mark", `\ufeff${plain}`],
    ["Windows line ends", plain.replaceAll("\n", "\r\n")],
    ["columns in another order", reversed],
    ["header in lower case", plain.replace(/^.+/, (header) => header.toLowerCase())],
    ["numbers without quotes", plain.replaceAll(/"(\d+)"/g, "$1")],
    ["Windows-1252", Buffer.from(plain, "latin1")],
    [
      "a byte order mark before Windows-1252",
      Buffer.concat([Buffer.from("\ufeff"), Buffer.from(plain, "latin1")]),
    ],
    ["a column more", plain.replaceAll(/.+/g, '$&,"more"')],
  ];

  test.each(forms)("%s", async (_, content) => {
    await staging.stage({ "file.txt": content });
    expect(await staging.rows("census")).toMatchObject(expected);
  });

  test("the legacy text files without header are distinguished", async () => {
    const staged = await staging.stage({
      "actpendinsur.txt":
        '"MC001","00000007","91X","BIPD/Primary","AN INSURER","72TRS1","05/11/2026","0","300","05/09/2027","06/13/2027"\n',
      "authhist.txt": '"MC000001","00000007","","COMMON","GRANTED","07/18/1986","","",""\n',
      "boc3.txt": '"MC000001","00000007","AGENTS INC","","1 MAIN ST","AUSTIN","TX","US","78701"\n',
      "inshist.txt":
        '"MC000001","00000007","91","Cancelled","35"," ","BIPD","T-1-DM",1000,"","04/16/1987","","","04/16/1995","CANCEL","00","AN INSURER"\n',
      "insur.txt": '"MC000001","1","P","01000","00000","MRV 1","01/01/2025","91X","AN INSURER"\n',
      "rejected.txt": `"MC000001","00000007"${',""'.repeat(13)}\n`,
      "revocation.txt": '"MC000001","00000007","COMMON","06/26/2024","INVOLUNTARY REVOCATION","07/26/2024"\n',
    });
    expect(staged.files.map(({ file, dataset }) => [file, dataset])).toEqual([
      ["actpendinsur.txt", "legacy_actpendinsur"],
      ["authhist.txt", "legacy_authhist"],
      ["boc3.txt", "legacy_boc3"],
      ["inshist.txt", "legacy_inshist"],
      ["insur.txt", "legacy_insur"],
      ["revocation.txt", "legacy_revocation"],
    ]);
    expect(staged.skipped).toEqual([{ file: "rejected.txt", why: "legacy Rejected, which is not read" }]);
    expect(await staging.rows("legacy_authhist")).toMatchObject([
      { docket: "MC1", usdot: 7, action_on: "1986-07-18" },
    ]);
    expect(await staging.rows("legacy_actpendinsur")).toMatchObject([
      {
        docket: "MC1",
        policy_key: "72TRS1",
        filed_on: "2026-05-11",
        max_coverage: 300_000,
        effective_on: "2027-05-09",
        cancelled_on: "2027-06-13",
      },
    ]);
  });

  test("JSON of the portal, with its names for columns of the old files", async () => {
    const row = { docket_number: "MC000001", mod_col_1: "PROPERTY BROKER", original_action_desc: "GRANTED" };
    await staging.stage({
      "a.json": JSON.stringify({ "x_9mw4-x3tu": [{ ...row, orig_served_date: "02/25/2026" }] }),
    });
    expect(await staging.rows("legacy_authhist")).toEqual([
      {
        docket: "MC1",
        usdot: null,
        op_auth_type: "PROPERTY BROKER",
        authority_class: "broker",
        action: "GRANTED",
        action_on: "2026-02-25",
        final_action: null,
        final_on: null,
      },
    ]);
  });
});

test("other files are not read, whatever their beginning", async () => {
  const staged = await staging.stage({
    "a.csv": datasetCsv("census", [{}]),
    "notes.md": "[How to read these](files.html)\n",
    "package.json": '{"name": "tools", "files": {}, "keywords": ["x"]}',
    "settings.json": '{"name": "tools"}',
    "counties.csv": "state,county\nTX,TRAVIS\n",
    "picture.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255]),
  });
  expect(staged.files).toHaveLength(1);
  expect(new Set(staged.skipped.map(({ why }) => why))).toEqual(new Set(["not a known registry file"]));
  expect(staged.skipped).toHaveLength(5);
});

test("headerless legacy Carrier is recognised although one of its first rows lacks its docket", async () => {
  const line = (docket: string) =>
    `${[docket, "00000007", ...new Array(41).fill("")].map((field) => `"${field}"`).join(",")}\n`;
  // With a byte order mark, which would be part of the first row's docket.
  const content = `\ufeff${line("MC000001")}${line("")}${line("MC000002")}`;
  const { files } = await staging.stage({ "a.txt": content });
  expect(files[0]).toMatchObject({ dataset: "legacy_carrier", kept: 2, rejected: { "no docket": 1 } });
});

test("only the lines that are not UTF-8 are read as Windows-1252, and counted", async () => {
  const [header = "", first = "", second = ""] = datasetCsv("census", [
    { LEGAL_NAME: "Ñ1" },
    { LEGAL_NAME: "Ñ2 – “Q”" },
  ]).split("\n");
  const old = Buffer.from(
    second.replaceAll("Ñ", "\xd1").replace("–", "\x96").replace("“", "\x93").replace("”", "\x94"),
    "latin1",
  );
  const content = Buffer.concat([Buffer.from(`${header}\n${first}\n`), old, Buffer.from("\n")]);
  const { files } = await staging.stage({ "a.csv": content });
  expect(files[0]?.repaired).toEqual({ "line in Windows-1252": 1 });
  expect((await staging.rows("census")).map(({ legal_name }) => legal_name)).toEqual(["Ñ1", "Ñ2 – “Q”"]);
});

test("a quote inside a field without quotes is part of the text", async () => {
  const content = datasetCsv("census", [{ LEGAL_NAME: "JOE @BUDDY@ SMITH" }])
    .replaceAll('"', "")
    .replaceAll("@B", '"B')
    .replace("Y@", 'Y"');
  await staging.stage({ "a.csv": content });
  expect(await staging.rows("census")).toMatchObject([{ legal_name: 'JOE "BUDDY" SMITH' }]);
});

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
