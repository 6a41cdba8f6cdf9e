// The Parquet files that a process keeps: bounded, and none with a business that was removed.
import { hash } from "node:crypto";
import { mkdir, readdir, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Caller } from "../../../../src/accounts/keys/caller.ts";
import { type ExportAnswer, exportFeed } from "../../../../src/feeds/export/export.ts";
import { makeRoom } from "../../../../src/feeds/export/parquet-file.ts";
import { STATE_CODES } from "../../../../src/registry/places/state-codes.ts";
import {
  type FeedsFixture,
  filters,
  openFeedsFixture,
  rowsUsed,
} from "../../../support/feeds/feeds-fixture.ts";
import { parquetRecords } from "../../../support/feeds/parquet-records.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { removeBusinesses, undoRemovals } from "../../../support/removals/removals.ts";

const BROKERS = "us_brokers";
const ROWS = 12_000;

let fixture: FeedsFixture;
let caller: Caller;
beforeAll(async () => {
  fixture = await openFeedsFixture();
  caller = await newCaller();
  await publishFeed(fixture.context.db, BROKERS, {
    records: Array.from({ length: ROWS }, (_, index) =>
      // Text that does not compress, so that the file has several chunks.
      feedRecord(BROKERS, {
        dot_number: String(index + 1),
        state: index % 2 ? "CA" : "TX",
        company: hash("sha256", `company ${index}`),
        street: hash("sha256", `street ${index}`),
      }),
    ),
    asOf: "2026-11-20",
    now: fixture.clock.now(),
  });
});
afterAll(() => fixture.close());

const newCaller = async (): Promise<Caller> => ({
  ...(await fixture.caller({ feeds: { [BROKERS]: null }, rowsPerMonth: 1e9 })),
  concurrentExports: 50,
});

const start = (sent: Record<string, string> = {}, range?: string): Promise<ExportAnswer> =>
  exportFeed(
    fixture.context,
    caller,
    BROKERS,
    { filters: filters(sent), ...(range !== undefined && { range }) },
    { format: "parquet", removalsGoodForMs: 0 },
  );

const bodyOf = (answer: ExportAnswer) => {
  if (answer.body === null) throw new Error("not an export");
  return answer.body;
};

const recordsOf = async (answer: ExportAnswer) =>
  parquetRecords(Buffer.concat((await bodyOf(answer).toArray()) as Buffer[]));

const head = (sent: Record<string, string>): Promise<ExportAnswer> =>
  exportFeed(
    fixture.context,
    { ...caller, isHead: true },
    BROKERS,
    { filters: filters(sent) },
    { format: "parquet" },
  );

const cache = (): string => path.join(fixture.context.config.dataDir, "cache");
const filesOf = async (): Promise<string[]> =>
  (await readdir(cache(), { recursive: true })).filter((name) => name.includes(".parquet"));

it("is a file that nobody else may read", async () => {
  await recordsOf(await start({ state: "TX" }));
  const [name = ""] = await filesOf();
  const { mode } = await stat(path.join(cache(), name));
  expect(mode & 0o777).toBe(0o600);
  await rm(path.join(cache(), name));
});

it("is one file for all who ask at once, and another after a removal, which replaces it", async () => {
  const answers = await Promise.all([1, 2, 3].map(() => start()));
  for (const answer of answers) expect(await recordsOf(answer)).toHaveLength(ROWS);
  const [before, ...none] = await filesOf();
  expect(none).toEqual([]);
  await removeBusinesses(fixture.context.db, [5]);
  const records = await recordsOf(await start());
  expect(records.map(({ dot_number }) => dot_number)).not.toContain("5");
  expect(records).toHaveLength(ROWS - 1);
  const after = await filesOf();
  expect(after).toHaveLength(1);
  expect(after).not.toContain(before);
  await undoRemovals(fixture.context.db);
});

// A cut file was sent as a whole one, by its own size, until the next removal.
it("is made anew when a failing disk cut it, and HEAD then tells no size", async () => {
  const sent = { state: "TX" };
  const before = await filesOf();
  expect(await recordsOf(await start(sent))).toHaveLength(ROWS / 2);
  const [name = ""] = (await filesOf()).filter((each) => !before.includes(each));
  const file = path.join(cache(), name);
  const { size } = await stat(file);
  expect((await head(sent)).headers).toMatchObject({ "Content-Length": String(size) });
  for (const cut of [size - 1, 100_000, 4, 0]) {
    await truncate(file, cut);
    expect(await recordsOf(await start(sent)), `cut to ${cut}`).toHaveLength(ROWS / 2);
    expect((await stat(file)).size).toBe(size);
  }
  await truncate(file, 100_000);
  expect((await head(sent)).headers).not.toHaveProperty("Content-Length");
  expect(await filesOf()).not.toContain(name);
});

it("breaks off while it is read once one of its businesses is removed, and gives the rest back", async () => {
  const other = await newCaller();
  const read = async (sent: Record<string, string>, removed: number): Promise<number> => {
    const answer = await exportFeed(
      fixture.context,
      other,
      BROKERS,
      { filters: filters(sent) },
      { format: "parquet", removalsGoodForMs: 0 },
    );
    let chunks = 0;
    for await (const _chunk of bodyOf(answer)) {
      chunks += 1;
      if (chunks === 1) await removeBusinesses(fixture.context.db, [removed]);
    }
    return chunks;
  };
  // A company of another state is not in the file.
  expect(await read({ state: "TX" }, 2)).toBeGreaterThan(1);
  expect((await rowsUsed(fixture.context, other)).export).toBe(ROWS / 2);
  await expect(read({ state: "CA" }, 4)).rejects.toMatchObject({ code: "export_changed" });
  const used = (await rowsUsed(fixture.context, other)).export - ROWS / 2;
  expect(used).toBeGreaterThan(0);
  expect(used).toBeLessThan(ROWS / 2 - 1);
  await undoRemovals(fixture.context.db);
});

// The connection was closed without an answer: the file still had the business, and no byte of it could be sent.
it("is made again, before it is answered, when one of its businesses is removed meanwhile", async () => {
  const sent = { state: "TX,NV" };
  const before = await filesOf();
  const asked = start(sent);
  await expect.poll(filesOf, { interval: 5 }).not.toEqual(before);
  await removeBusinesses(fixture.context.db, [7]);
  const answer = await asked;
  expect(answer.headers).toMatchObject({ "X-Row-Count": String(ROWS / 2 - 1) });
  const numbers = (await recordsOf(answer)).map(({ dot_number }) => dot_number);
  expect(numbers).toHaveLength(ROWS / 2 - 1);
  expect(numbers).not.toContain("7");
  await undoRemovals(fixture.context.db);
});

// After three files the answer was 503, though a small file takes less time than passes between most removals.
it("is made until no business is removed meanwhile, for some seconds", async () => {
  const seen = new Set(await filesOf());
  const asked = start({ state: "TX,OR" });
  const outcome = asked.then(() => "answered", String);
  for (const removed of [9, 11, 13]) {
    await expect
      .poll(async () => (await filesOf()).some((name) => !seen.has(name)), { interval: 5 })
      .toBe(true);
    for (const name of await filesOf()) seen.add(name).add(name.replace(/(?<=parquet).*$/, ""));
    await removeBusinesses(fixture.context.db, [removed]);
  }
  expect(await outcome).toBe("answered");
  expect(await recordsOf(await asked)).toHaveLength(ROWS / 2 - 3);
  await undoRemovals(fixture.context.db);
});

it("is refused while too many wait to be made, and has cost nothing then", async () => {
  const other = await newCaller();
  const asked = Array.from({ length: 12 }, (_, index) =>
    exportFeed(
      fixture.context,
      other,
      BROKERS,
      { filters: filters({ state: `TX,${STATE_CODES[index]}` }) },
      { format: "parquet" },
    ).then(
      async (answer) => (await recordsOf(answer)).length,
      (error: { code: string; retryAfterSeconds: number }) => `${error.code} ${error.retryAfterSeconds}`,
    ),
  );
  const outcomes = await Promise.all(asked);
  const refused = outcomes.filter((outcome) => outcome === "unavailable 30");
  expect(refused.length).toBeGreaterThan(0);
  expect(outcomes.length - refused.length).toBeGreaterThanOrEqual(8);
  const rows = outcomes.reduce(
    (sum: number, outcome) => sum + (typeof outcome === "number" ? outcome : 0),
    0,
  );
  expect(rows).toBeGreaterThanOrEqual(4 * ROWS);
  expect((await rowsUsed(fixture.context, other)).export).toBe(rows);
});

it("gives way to a newer one when there is no room, the one unused for longest first", async () => {
  const folder = path.join(fixture.context.config.dataDir, "room");
  await mkdir(folder);
  for (const [index, name] of ["a", "b", "c"].entries()) {
    const file = path.join(folder, `${name}.parquet`);
    await writeFile(file, Buffer.alloc(1_000));
    await utimes(file, 1_000 - index, 1_000 - index);
  }
  await writeFile(path.join(folder, "rows.ndjson"), Buffer.alloc(10_000));
  await makeRoom(folder, 500, 2_600);
  expect((await readdir(folder)).sort()).toEqual(["a.parquet", "b.parquet", "rows.ndjson"]);
  await makeRoom(folder, 3_000, 2_600);
  expect(await readdir(folder)).toEqual(["rows.ndjson"]);
  expect((await stat(path.join(folder, "rows.ndjson"))).size).toBe(10_000);
});

it("is unused only since it was last read", async () => {
  const sent = { state: "CA" };
  const before = await filesOf();
  await recordsOf(await start(sent));
  const [name = ""] = (await filesOf()).filter((each) => !before.includes(each));
  const file = path.join(cache(), name);
  await utimes(file, 1_000, 1_000);
  const { mtimeMs: made } = await stat(file);
  await recordsOf(await start(sent));
  expect((await stat(file)).mtimeMs).toBeGreaterThan(made);
});
