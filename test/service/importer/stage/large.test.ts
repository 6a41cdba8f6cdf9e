// A large file is read in a thread of its own. Compressed, the same file is small and read without it: that says what the
// thread has to find.
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Refusal } from "../../../../src/importer/read/refusal.ts";
import { findInputs } from "../../../../src/importer/recognise/dataset-inputs.ts";
import { ReadingThread } from "../../../../src/importer/stage/reading-thread.ts";
import { stageFolder } from "../../../../src/importer/stage/stage.ts";
import { datasetCsv } from "./plain-rows.ts";
import { openStaging, type Staging, TODAY } from "./staging.ts";

/** A daily difference of 10 MB with all that can be odd about rows. */
const difference = Buffer.concat([
  Buffer.from(
    datasetCsv(
      "motus_authhist",
      Array.from({ length: 100_000 }, (_, row) => ({
        ...(row % 1000 === 0 ? { REASON: "Moved\nto a café" } : {}),
        ...(row % 1001 === 0 ? { OP_AUTH_STATUS: `Odd ${row % 7}`, STATUS_CHANGE_DATE: "20261301" } : {}),
      })),
    ),
  ),
  Buffer.from(
    '"MC1","1"\n"MC2","2","Broker","","",""\n"MC3","3","Caf\xe9","Active","Granted","20260930"\n',
    "latin1",
  ),
  Buffer.from('"MC4","4","Broker","Active","Granted","20260930"\n'.repeat(3)),
]);

/** Of 9 MB, so it is read after the difference. */
const census = datasetCsv(
  "census",
  Array.from({ length: 50_000 }, () => ({})),
);

let staging: Staging;
const threads: Worker[] = [];
const keep = (worker: Worker) => void threads.push(worker);

beforeAll(async () => {
  staging = await openStaging();
  process.on("worker", keep);
});

beforeEach(() => {
  threads.length = 0;
});

afterAll(async () => {
  process.off("worker", keep);
  await staging.close();
});

const expectOneEndedThread = () => expect(threads.map(({ threadId }) => threadId)).toEqual([-1]);

const stageDifference = (content: Buffer) => staging.stage({ "a.csv": content }, { isDifference: true });

async function rowsHash(): Promise<unknown> {
  const { rows } = await staging.context.db.pool.query(
    "SELECT count(*)::int, md5(string_agg(t::text, ',' ORDER BY t.ctid)) FROM staging.motus_authhist AS t",
  );
  return rows[0];
}

test("a large file gives the same rows and findings as a small one", async () => {
  const small = await stageDifference(gzipSync(difference));
  const rows = await rowsHash();
  expect(threads).toEqual([]);
  const large = await stageDifference(difference);
  expectOneEndedThread();
  expect(await rowsHash()).toEqual(rows);
  const [file] = large.files;
  expect(file).toMatchObject({ kept: 100_002, duplicates: 2, sizeBytes: difference.length });
  const { sha256, sizeBytes } = file ?? {};
  expect(large).toEqual({
    ...small,
    files: small.files.map((found) => ({ ...found, sha256, sizeBytes })),
    profiles: new Map([...small.profiles].map(([dataset, profile]) => [dataset, { ...profile, sha256 }])),
  });
  for (const found of [large.oddRows, large.removalKeys]) expect(found.get("motus_authhist")).not.toEqual([]);
});

test("several large files are read by one thread, and the progress of each to its end", async () => {
  const shown = new Map<string, { readBytes: number; rows: number }>();
  const dir = await staging.folder({ "a.csv": difference, "census.csv": census });
  const { files } = await stageFolder(staging.context, {
    dir,
    today: TODAY,
    isDifference: true,
    onProgress: ({ file, readBytes, rows }) => shown.set(file, { readBytes, rows }),
  });
  expectOneEndedThread();
  expect(shown).toEqual(
    new Map(files.map(({ file, sizeBytes, rowsRead }) => [file, { readBytes: sizeBytes, rows: rowsRead }])),
  );
});

test("a large file is refused as a small one is", async () => {
  const refusalOf = async (content: Buffer) => {
    const refusal = await stageDifference(content).catch((error: unknown) => error);
    // An import that is refused is told apart from one that failed by this class.
    expect(refusal).toBeInstanceOf(Refusal);
    const { name, message, solution, checkName, checkNames } = refusal as Refusal;
    return { name, message, solution, checkName, checkNames };
  };
  const cut = difference.subarray(0, -1);
  const refusal = await refusalOf(gzipSync(cut));
  expect(refusal.message).toMatch(/^a\.csv is cut off: its last line has no end/);
  expect(await refusalOf(cut)).toEqual(refusal);
  expectOneEndedThread();
});

test("a failure while the thread reads ends it", async () => {
  const staged = stageFolder(staging.context, {
    dir: await staging.folder({ "a.csv": difference }),
    today: TODAY,
    isDifference: true,
    onProgress: () => {
      throw new Error("Nobody looks.");
    },
  });
  await expect(staged).rejects.toThrow("Nobody looks.");
  expectOneEndedThread();
});

test("a file that vanishes before the thread reads it is refused, and named", async () => {
  const dir = await staging.folder({ "a.csv": difference, "census.csv": census });
  const staged = stageFolder(staging.context, {
    dir,
    today: TODAY,
    isDifference: true,
    // The smaller file is read last.
    onProgress: () => rmSync(join(dir, "census.csv"), { force: true }),
  });
  await expect(staged).rejects.toThrow(/^census\.csv can't be read \(ENOENT\); see that it is there/);
  expectOneEndedThread();
});

test("another error in the thread comes out of it with its code", async () => {
  const dir = await staging.folder({ "a.csv": difference });
  const { inputs } = await findInputs(dir, true);
  const [input] = inputs as [(typeof inputs)[number]];
  const thread = new ReadingThread();
  const reading = thread.read({ ...input, file: { ...input.file, path: "no\0path" } }, TODAY, true);
  await expect(reading.next()).rejects.toMatchObject({ code: "ERR_INVALID_ARG_VALUE" });
  await thread.end();
  expectOneEndedThread();
});
