import { createHash } from "node:crypto";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";
import { FEEDS } from "../../../src/feeds/catalogue.ts";
import { importFolder } from "../../../src/importer/import.ts";
import { type ImportReport, listRuns } from "../../../src/importer/runs.ts";
import { settableClock } from "../../support/clock.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import {
  type Change,
  cutTo,
  damagedGzip,
  replaceBy,
  rewrite,
  rewriteBytes,
  rewriteRows,
  times100,
  zipOf,
} from "./file-changes.ts";

let folder: string;
let service: TestService;
let key: string;
let yesterday = "";
let today = "";
/** The served data after the two good days. */
let servedBefore: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-broken-"));
  service = await startTestService({ clock: settableClock("2026-11-20T18:00:00Z") });
  const plan = { requestsPerMinute: 100_000, rowsPerMonth: 100_000_000 };
  const feeds = Object.fromEntries(FEEDS.map(({ code }) => [code, null]));
  ({ key } = await service.createAccount({ ...plan, feeds }));
  const days = await generateRegistry({
    outDir: folder,
    carriers: 2_000,
    seed: 3,
    firstDay: "2026-11-19",
    days: 2,
  });
  [yesterday = "", today = ""] = days.map(({ dir }) => dir);
  await importDay(yesterday);
  await importDay(today);
  servedBefore = await served();
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const importDay = (dir: string, ...accept: string[]): Promise<ImportReport> =>
  importFolder(service.context, { dir, asOf: null, accept: new Set(accept) });

/** A hash of everything that is served now: each feed's list entry, records and CSV, and the events. */
async function served(): Promise<string> {
  const hash = createHash("sha256");
  const addresses = FEEDS.flatMap(({ code }) => [
    `/v1/feeds/${code}/records?page_size=1000`,
    `/v1/feeds/${code}/export.csv`,
  ]);
  for (const address of ["/v1/feeds", ...addresses, "/v1/events?since=2026-11-01T00:00:00Z&limit=100"]) {
    const answer = await service.get(address, key);
    expect([address, answer.status]).toEqual([address, 200]);
    hash.update(await answer.text());
  }
  return hash.digest("hex");
}

/** Today's folder with one file changed. */
async function brokenDay(name: string, change: (file: string) => Promise<unknown>): Promise<string> {
  const dir = await mkdtemp(path.join(folder, "broken-"));
  await cp(today, dir, { recursive: true });
  await change(path.join(dir, name));
  return dir;
}

describe("a broken file is refused in one sentence, and the served data stays byte for byte:", () => {
  it.each<[string, string, Change, RegExp]>([
    ["cut at 10%", "census.csv", cutTo(0.1), /^census\.csv is cut off/],
    ["cut at 50%", "census.csv", cutTo(0.5), /^census\.csv is cut off/],
    ["cut at 99%", "motus_carrier.csv", cutTo(0.99), /^motus_carrier\.csv is cut off/],
    [
      "cut at a line end",
      "census.csv",
      rewrite((text) => `${text.split("\n").slice(0, 1_700).join("\n")}\n`),
      /^Company Census File shrank by more than 10%: .* --accept shrinkage\./,
    ],
    ["a wrong checksum", "census.csv", damagedGzip(7), /^census\.csv is cut off or damaged \(gzip/],
    ["a wrong length", "census.csv", damagedGzip(3), /^census\.csv is cut off or damaged \(gzip/],
    [
      "gzip cut off",
      "motus_insur.csv",
      rewriteBytes((bytes) => gzipSync(bytes).subarray(0, -100)),
      /^motus_insur\.csv is cut off or damaged \(gzip/,
    ],
    [
      "a wrong header",
      "motus_authhist.csv",
      rewrite((text) => text.replace(/^.*\n/, "a,b,c,d,e,f\n")),
      /^motus_authhist\.csv holds registry rows under unknown columns/,
    ],
    [
      "a renamed column",
      "census.csv",
      rewrite((text) => text.replace("POWER_UNITS", "POWER")),
      /^census\.csv \(Company Census File\) lacks the column POWER_UNITS/,
    ],
    [
      "a renamed column of notices",
      "motus_revokesuspend.csv",
      rewrite((text) => text.replace("ORDER1_EFFECTIVE_DATE", "EFFECTIVE")),
      /^motus_revokesuspend\.csv \(Motus RevokeSuspend\) lacks the column ORDER1_EFFECTIVE_DATE/,
    ],
    [
      "another encoding",
      "motus_carrier.csv",
      rewriteBytes((bytes) => Buffer.from(`\ufeff${bytes.toString()}`, "utf16le")),
      /^motus_carrier\.csv is UTF-16/,
    ],
    ["an empty file", "legacy_carrier.txt", replaceBy(""), /^legacy_carrier\.txt is empty/],
    [
      "a web page",
      "motus_authhist.csv",
      replaceBy("<!DOCTYPE html><html><body>Service unavailable</body></html>"),
      /^motus_authhist\.csv is a web page/,
    ],
    [
      "yesterday's file",
      "motus_authhist.csv",
      (file) => cp(path.join(yesterday, "motus_authhist.csv"), file),
      /^Motus AuthHist is older than what was imported: newest row 2026-11-19, before 2026-11-20; .*older-than-before/,
    ],
    [
      "5% of its rows repeating a USDOT number",
      "census.csv",
      rewriteRows((row, index) => (index % 19 === 18 ? { ...row, DOT_NUMBER: "1000000" } : row)),
      /^census\.csv repeats USDOT numbers in .* --accept duplicate-usdot\./,
    ],
    [
      "30% without a status",
      "census.csv",
      rewriteRows((row, index) => (index % 10 < 3 ? { ...row, STATUS_CODE: "" } : row)),
      /^census\.csv has no status, or an unknown one, in 30\.\d% .* --accept status-missing\./,
    ],
    [
      "30% without a status in Motus",
      "motus_carrier.csv",
      rewriteRows((row, index) => (index % 10 < 3 ? { ...row, OP_AUTH_STATUS: "" } : row)),
      /^motus_carrier\.csv \(Motus Carrier\) has values in column OP_AUTH_STATUS that are not known: "" \d+ times /,
    ],
    [
      "a hundred times its rows",
      "motus_authhist.csv",
      times100,
      /^Motus AuthHist grew by more than 50%: .* --accept growth\./,
    ],
    ["a zip archive", "census.csv", replaceBy(zipOf("census.csv")), /^census\.csv is a zip archive/],
    [
      "a bomb in gzip",
      "census.csv",
      rewriteBytes((bytes) => gzipSync(Buffer.concat([bytes, Buffer.alloc(160 * bytes.length, "\n")]))),
      /^census\.csv unpacks to more than 200 times its size/,
    ],
    [
      "a name that leads out of the folder, in a zip archive",
      "census.csv",
      replaceBy(zipOf("../../../etc/census.csv")),
      /^census\.csv is a zip archive/,
    ],
    [
      "a link that leads out of the folder",
      "census.csv",
      async (file) => {
        await rm(file);
        await symlink(path.join(today, "census.csv"), file);
      },
      /^census\.csv is a link that leads out of the folder/,
    ],
  ])("%s", async (_, file, change, sentence) => {
    const dir = await brokenDay(file, change);
    const refusal: Error = await importDay(dir).then(
      () => Promise.reject(new Error("it was imported")),
      (error) => error,
    );
    expect(refusal).toMatchObject({ name: "OperatorError", message: expect.stringMatching(sentence) });
    expect(refusal.message).toMatch(/^[^\n]+\.$/);
    expect(await served()).toBe(servedBefore);
    expect((await listRuns(service.context, 1))[0]).toMatchObject({
      status: "refused",
      refusal: refusal.message,
    });
    await rm(dir, { recursive: true });
  });
});

it("a whole day older than the served one is refused", async () => {
  await expect(importDay(yesterday)).rejects.toThrow(/--accept older-than-before/);
  expect(await served()).toBe(servedBefore);
});

it("a census that lost nine in a hundred rows is published when that is accepted", async () => {
  const dir = await brokenDay(
    "census.csv",
    rewrite((text) =>
      text
        .split("\n")
        .filter((_, index) => index % 100 < 91)
        .join("\n")
        .replace(/\n?$/, "\n"),
    ),
  );
  await expect(importDay(dir)).rejects.toThrow(
    /Company Census File no longer has \d+ of the .*--accept lost-rows:census/,
  );
  const report = await importDay(dir, "lost-rows:census");
  expect(report.changes.census?.deleted).toBeGreaterThan(150);
  expect(await served()).not.toBe(servedBefore);
  // The whole file has them again.
  await importDay(today, "old-file:census");
  expect((await importDay(today)).changes.census).toEqual({ inserted: 0, updated: 0, deleted: 0 });
});
