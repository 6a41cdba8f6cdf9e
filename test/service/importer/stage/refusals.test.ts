import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findInputs } from "../../../../src/importer/recognise/dataset-inputs.ts";
import { stageFolder } from "../../../../src/importer/stage/stage.ts";
import { readInput } from "../../../../src/importer/stage/stage-file.ts";
import { datasetCsv, wholeFolder } from "./plain-rows.ts";
import { type Files, openStaging, type Staging, TODAY } from "./staging.ts";

let staging: Staging;
/** Everything but the staging tables, after one good import. */
let published: string;

beforeAll(async () => {
  staging = await openStaging();
  await staging.publish(await staging.stage(wholeFolder(30)));
  published = await staging.fingerprint();
});

afterAll(() => staging.close());

const good = wholeFolder(30);
const census = good["census.csv"];
const authhist = good["motus_authhist.csv"];
const cut = (text: string, percent: number) => text.slice(0, Math.floor((text.length * percent) / 100));
const damaged = (bytes: Buffer, offset: number) => {
  const copy = Buffer.from(bytes);
  copy[offset] = (copy[offset] ?? 0) ^ 0xff;
  return copy;
};
const packed = gzipSync(census);
/** The beginning of a zip archive: one file, not compressed. */
const zipOf = (name: string, content: string) =>
  Buffer.concat([
    Buffer.from(`PK\x03\x04\x14${"\0".repeat(21)}`, "latin1"),
    Buffer.from([name.length, 0, 0, 0]),
    Buffer.from(name + content),
  ]);
/** A line so long that the file unpacks to 300 times its size. */
const bomb = gzipSync(Buffer.concat([Buffer.from(census), Buffer.alloc(80 * 1024 * 1024, "\n")]));

// Files whose headers have most of each other's columns.
const MOTUS_INSURANCE = [
  ["motus_insur", "Motus Insur", "TRANS_DATE"],
  ["motus_insur", "Motus Insur", "POLICY_NO"],
  ["motus_inshist", "Motus InsHist", "FILING_STATUS_REASON"],
  ["motus_inshist", "Motus InsHist", "CANCL_EFFECTIVE_DATE"],
  ["motus_revokesuspend", "Motus RevokeSuspend", "ORDER1_SERVE_DATE"],
  ["legacy_insur", "legacy Insur", "POLICY_NO"],
  ["legacy_actpendinsur", "legacy ActPendInsur", "TRANS_DATE"],
  ["legacy_inshist", "legacy InsHist", "CANCL_METHOD"],
  ["legacy_revocation", "legacy Revocation", "ORDER1_SERVE_DATE"],
] as const;

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

test("a good folder is staged after a refused one, from the beginning", async () => {
  await staging.stage({ "census.csv": cut(census, 99) }).catch(() => {});
  const staged = await staging.stage({ "census.csv": datasetCsv("census", [{}, {}]) });
  expect(staged.files.map(({ kept }) => kept)).toEqual([2]);
  expect(await staging.rows("census")).toHaveLength(2);
  expect(await staging.rows("motus_authhist")).toEqual([]);
});

test("folders and hidden files are not read, a link within the folder is", async () => {
  const dir = await staging.folder({ ".a.csv": authhist, ".hidden.csv": "<html>" });
  await mkdir(join(dir, "deeper"));
  await writeFile(join(dir, "deeper", "census.csv"), census);
  await symlink(join(dir, ".a.csv"), join(dir, "link.csv"));
  const staged = await stageFolder(staging.context, { dir, today: TODAY });
  expect(staged.files.map(({ file }) => file)).toEqual(["link.csv"]);
  expect(staged.skipped).toEqual([{ file: "deeper", why: "not a file; folders are not searched" }]);
});

// The file behind the link would be missing, and a missing file counts as unchanged.
test.each([
  [
    "out of the folder",
    "census.csv",
    /^census\.csv is a link that leads out of the folder; put the file itself/,
  ],
  ["nowhere", "gone.csv", /^census\.csv is a link that leads nowhere; remove it from the folder/],
])("a link that leads %s is refused", async (_, target, sentence) => {
  const outside = await staging.folder({ "census.csv": census });
  const dir = await staging.folder({ "a.csv": authhist });
  await symlink(join(outside, target), join(dir, "census.csv"));
  await expect(stageFolder(staging.context, { dir, today: TODAY })).rejects.toThrow(sentence);
  expect(await staging.fingerprint()).toBe(published);
});

test("a file that vanishes after it was recognised is refused, and named", async () => {
  const dir = await staging.folder({ "a.csv": authhist, "census.csv": census });
  const { inputs } = await findInputs(dir, false);
  await rm(join(dir, "a.csv"));
  const [input] = inputs.filter(({ label }) => label === "a.csv");
  const reading = readInput(input as (typeof inputs)[number], TODAY, false);
  await expect(reading.next()).rejects.toThrow(/^a\.csv can't be read \(ENOENT\); see that it is there/);
  await expect(reading.next()).resolves.toMatchObject({ done: true });
});

test("a broken file leaves no connection open", async () => {
  for (let round = 0; round < 5; round += 1)
    await staging.stage({ "a.csv": authhist.slice(0, -1) }).catch(() => {});
  const { bulkPool } = staging.context.db;
  expect(bulkPool.totalCount - bulkPool.idleCount).toBe(0);
  // The server needs a moment to notice that the client has disconnected.
  const copying = async () => {
    const { rows } = await bulkPool.query<{ count: number }>(
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY%' AND state = 'active'",
    );
    return rows[0]?.count;
  };
  await expect.poll(copying, { timeout: 10_000 }).toBe(0);
});
