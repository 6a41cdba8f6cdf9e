import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { stageFolder } from "../../../../src/importer/stage/stage.ts";
import { datasetCsv } from "./plain-rows.ts";
import {
  authhist,
  bomb,
  census,
  cut,
  damaged,
  good,
  MOTUS_INSURANCE,
  packed,
  published,
  staging,
  useImported,
  zipOf,
} from "./refused.ts";
import { type Files, TODAY } from "./staging.ts";

useImported();

describe("a broken file is refused with its sentence, and only the staging tables change:", () => {
  const broken: [what: string, files: Files, sentence: RegExp][] = [
    ["cut at 10%", { "census.csv": cut(census, 10) }, /^census\.csv is cut off.*download it again\.$/],
    ["cut at 50%", { "census.csv": cut(census, 50) }, /^census\.csv is cut off/],
    ["cut at 99%", { "census.csv": cut(census, 99) }, /^census\.csv is cut off/],
    [
      "cut in its header",
      { "a.csv": authhist.slice(0, 40) },
      /^a\.csv holds registry rows under unknown columns/,
    ],
    [
      "the last line end missing",
      { "a.csv": authhist.slice(0, -1) },
      /^a\.csv is cut off: its last line has no end/,
    ],
    [
      "too few columns in the last row",
      { "a.csv": `${authhist}"MC1","1"\n` },
      /^a\.csv is cut off: its last row has 2 of 6 columns/,
    ],
    [
      "an open quote",
      { "a.csv": `${authhist}"MC1","1","Broker","Active","Granted,20260930\n` },
      /^a\.csv is cut off or damaged: a quote is opened and never closed/,
    ],
    [
      "an open quote early in a long file",
      {
        "a.csv":
          authhist.replaceAll('"', "").replace("Granted", '"Granted') + "MC9,9,x,y,z,\n".repeat(100_000),
      },
      /^a\.csv is cut off or damaged: a quote is opened and never closed/,
    ],
    [
      "gzip with a wrong checksum",
      { "c.gz": damaged(packed, packed.length - 6) },
      /^c\.gz is cut off or damaged \(gzip/,
    ],
    [
      "gzip with a wrong length",
      { "c.gz": damaged(packed, packed.length - 2) },
      /^c\.gz is cut off or damaged \(gzip/,
    ],
    ["gzip cut off", { "c.gz": packed.subarray(0, 300) }, /^c\.gz is cut off or damaged \(gzip/],
    ["gzip that unpacks without end", { "c.gz": bomb }, /^c\.gz unpacks to more than 200 times its size/],
    [
      "a renamed column",
      { "a.csv": authhist.replace("REASON", "WHY") },
      /^a\.csv \(Motus AuthHist\) lacks the column REASON;/,
    ],
    [
      "missing columns",
      { "census.csv": census.replace("PHY_STATE", "X").replace("POWER_UNITS", "Y") },
      /^census\.csv \(Company Census File\) lacks the columns PHY_STATE, POWER_UNITS;/,
    ],
    ...MOTUS_INSURANCE.map(([dataset, title, column]): [string, Files, RegExp] => [
      `a renamed column of ${title}`,
      { "a.csv": good[`${dataset}.csv`].replace(new RegExp(`"${column}"`, "i"), '"X"') },
      new RegExp(`^a\\.csv \\(${title}\\) lacks the column ${column};`),
    ]),
    [
      "another header",
      { "a.csv": authhist.replace(/^.*\n/, '"a","b","c","d","e","f"\n') },
      /^a\.csv holds registry rows under unknown columns/,
    ],
    [
      "no header where the file has one",
      { "a.csv": authhist.replace(/^.*\n/, "") },
      /^a\.csv holds registry rows under unknown columns/,
    ],
    [
      "UTF-16",
      { "a.csv": Buffer.from(`\ufeff${authhist}`, "utf16le") },
      /^a\.csv is UTF-16; save it as UTF-8\.$/,
    ],
    [
      "UTF-16, in the other byte order",
      { "a.csv": Buffer.from(`\ufeff${authhist}`, "utf16le").swap16() },
      /^a\.csv is UTF-16; save it as UTF-8\.$/,
    ],
    [
      "UTF-16 without a byte order mark",
      { "a.csv": Buffer.from(authhist, "utf16le") },
      /^a\.csv is UTF-16; save it as UTF-8\.$/,
    ],
    [
      "a zip archive with any name",
      { "a.csv": zipOf("../../census.csv", census) },
      /^a\.csv is a zip archive; unpack it/,
    ],
    ["a zip archive in gzip", { "a.gz": gzipSync(zipOf("a.csv", census)) }, /^a\.gz is a zip archive/],
    [
      "lines that end as those of old Macintoshes",
      { "a.csv": authhist.replaceAll("\n", "\r") },
      /^a\.csv has lines that end in CR alone; save it with LF or CRLF/,
    ],
    ["an empty file", { "a.csv": "" }, /^a\.csv is empty; download it again\.$/],
    ["only blanks", { "a.csv": " \n\n" }, /^a\.csv is empty/],
    ["only a header", { "a.csv": datasetCsv("motus_authhist", []) }, /^a\.csv has no rows/],
    [
      "a web page",
      { "a.csv": "\n<!DOCTYPE html><p>Service unavailable" },
      /^a\.csv is a web page, not a registry file/,
    ],
    ["JSON that is cut off", { "a.json": '[{"docket_number": "MC1", ' }, /^a\.json is cut off or no JSON/],
    [
      "JSON without rows",
      { "a.json": '{"authhist_yu5v-wbh6": []}' },
      /^a\.json \(authhist_yu5v-wbh6\) .* has no rows/,
    ],
    [
      "JSON of unknown columns",
      { "a.json": '[{"docket_number": "MC1"}]' },
      /^a\.json holds registry rows under unknown columns/,
    ],
    [
      "JSON in which a column is always missing",
      {
        "a.json": JSON.stringify(
          Array.from({ length: 1000 }, () => ({
            docket_number: "MC1",
            usdot_number: "1",
            op_auth_type: "Broker",
            op_auth_status: "Active",
            reason: "x",
          })),
        ),
      },
      /^a\.json \(Motus AuthHist\) lacks the column STATUS_CHANGE_DATE/,
    ],
    [
      "a line without an end",
      { "a.csv": authhist + "x".repeat(17 << 20) },
      /^a\.csv has a line without an end/,
    ],
    [
      "two of one dataset",
      { "a.csv": census, "b.csv": census },
      /^a\.csv and b\.csv are both Company Census File; leave only one of them in the folder\.$/,
    ],
    [
      "no registry file at all",
      { "notes.txt": "read me" },
      /^No registry file was found in .*; docs\/operating\/importing\.md lists/,
    ],
  ];

  test.each(broken)("%s", async (_, files, sentence) => {
    const refusal = await staging.stage(files).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      name: "OperatorError",
      message: expect.stringMatching(sentence),
      checkName: null,
    });
    expect(await staging.fingerprint()).toBe(published);
  });

  test("a folder that does not exist", async () => {
    const staged = stageFolder(staging.context, { dir: "/nowhere/at/all", today: TODAY });
    await expect(staged).rejects.toThrow("There is no folder /nowhere/at/all");
  });
});
