import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { datasetCsv } from "./plain-rows.ts";
import { staging, useStaging } from "./staged-rows.ts";

useStaging();

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
    ["two byte order marks, as of a file that was saved again", `\ufeff\ufeff${plain}`],
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
