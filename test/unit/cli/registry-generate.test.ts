import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { registryGenerateCommand } from "../../../src/cli/registry/registry-generate.ts";
import { OperatorError } from "../../../src/platform/operator-error.ts";

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "registry-cli-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Runs the command and returns its output. */
async function run(...args: string[]): Promise<string> {
  const printed: string[] = [];
  const write = vi
    .spyOn(process.stdout, "write")
    .mockImplementation((text) => printed.push(String(text)) > 0);
  try {
    await registryGenerateCommand().parseAsync(args, { from: "user" });
  } finally {
    write.mockRestore();
  }
  return printed.join("");
}

test("ends on the day of --as-of and prints the written files as JSON", async () => {
  const out = join(dir, "json");
  const printed = JSON.parse(
    await run("--out", out, "--carriers", "50", "--days", "2", "--as-of", "2026-10-02", "--json"),
  );
  expect(printed.map((day: { date: string }) => day.date)).toEqual(["2026-10-01", "2026-10-02"]);
  expect(printed[0].files[0]).toEqual({ name: "census.csv", rows: 50 });
  expect(printed[1].dir).toBe(join(out, "day-01"));
  expect(await readdir(out)).toEqual(["day-00", "day-01"]);
});

test("prints rows per file for people", async () => {
  const printed = await run("--out", join(dir, "text"), "--carriers", "50", "--as-of", "2026-10-02");
  expect(printed).toMatch(/^2026-10-02 {2}.*day-00\n {2}census\.csv +50 rows\n/);
});

test.each([
  ["--out", "", /--out is empty: name a folder/],
  ["--carriers", "0", /--carriers is "0": give a whole number from 1/],
  ["--carriers", "1e3", /--carriers is "1e3"/],
  ["--seed", "-1", /--seed is "-1"/],
  ["--days", "two", /--days is "two"/],
  ["--as-of", "2026-02-30", /--as-of is "2026-02-30": give a day of the calendar/],
  ["--as-of", "yesterday", /--as-of is "yesterday"/],
  ["--as-of", "1899-01-01", /between 2000-01-01 and 2100-01-01/],
  [
    "--added-column",
    "legacy_carrier.txt",
    /--added-column is "legacy_carrier.txt": give one of census.csv, /,
  ],
  ["--reordered", "insur", /--reordered is "insur": give one of .*motus_insur.csv/],
])("refuses %s %s with a sentence", async (option, value, sentence) => {
  const refused = run("--out", join(dir, "refused"), option, value);
  await expect(refused).rejects.toThrow(OperatorError);
  await expect(refused).rejects.toThrow(sentence);
  expect(await readdir(dir)).not.toContain("refused");
});

test("writes a file with an added column and another with reversed columns", async () => {
  const out = join(dir, "columns");
  const changes = ["--added-column", "motus_carrier.csv", "--reordered", "motus_authhist.csv"];
  await run("--out", out, "--carriers", "20", "--as-of", "2026-10-02", ...changes);
  const header = async (file: string) =>
    (await readFile(join(out, "day-00", file), "utf8")).split("\n", 1)[0];
  expect(await header("motus_carrier.csv")).toContain(",RECORD_SOURCE,");
  expect(await header("motus_authhist.csv")).toMatch(/^STATUS_CHANGE_DATE,.*,DOCKET_NUMBER$/);
});

test("reports a folder that can't be written to", async () => {
  const file = join(dir, "a-file");
  await writeFile(file, "");
  const refused = run("--out", join(file, "inside"), "--carriers", "10");
  await expect(refused).rejects.toThrow(/Could not write into .*ENOTDIR.*--out/);
  await expect(refused).rejects.toThrow(OperatorError);
});

// The status said that the same call fails again.
test.skipIf(!existsSync("/dev/full"))("a full disk is told as one that has room later", async () => {
  const out = join(dir, "full");
  await mkdir(join(out, "day-00"), { recursive: true });
  await symlink("/dev/full", join(out, "day-00", "census.csv"));
  await expect(run("--out", out, "--carriers", "10")).rejects.toMatchObject({
    message: expect.stringMatching(/^Could not write into .*ENOSPC/),
    solution: "later",
  });
  // A part of each file stayed, which looked like a registry and kept the disk full.
  expect(await readdir(join(out, "day-00"))).toEqual([]);
});
