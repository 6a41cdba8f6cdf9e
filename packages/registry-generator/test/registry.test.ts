import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CENSUS_COLUMNS } from "../../../src/importer/official/census.ts";
import {
  countBy,
  differenceRows,
  FIXTURES,
  generate,
  hashes,
  legacyCarriers,
  MOTUS_FILES,
  removeGenerated,
  rows,
} from "../../../test/support/registry/generated-registry.ts";
import { LEGACY_AUTHHIST_COLUMNS } from "../src/legacy/legacy-authhist.ts";
import { MOTUS_CARRIER_COLUMNS } from "../src/motus/motus-carrier.ts";
import { registryOf } from "./registry-of.ts";

afterAll(removeGenerated);

describe("the same arguments", () => {
  test("give the same bytes", async () => {
    const [one, other] = [await registryOf({ carriers: 3000, days: 2 }), await generate({ days: 2 })];
    expect(await hashes(one, 0)).toEqual(await hashes(other, 0));
    expect(await hashes(one, 1)).toEqual(await hashes(other, 1));
  });

  test("with another seed give a different registry", async () => {
    const [one, other] = [await generate({ carriers: 300 }), await generate({ carriers: 300, seed: 2 })];
    const [left, right] = [await hashes(one, 0), await hashes(other, 0)];
    for (const [at, hash] of left.entries()) expect(hash).not.toBe(right[at]);
  });

  test("allow days to be added later, with the legacy files", async () => {
    const options = { carriers: 1000, days: 5, dailyEdits: 0.05, differences: true };
    const whole = await generate(options);
    const added = await generate({ ...options, fromDay: 4 });
    expect(await hashes(added, 4)).toEqual(await hashes(whole, 4));
    expect(await hashes(added, 4, MOTUS_FILES, "-difference")).toEqual(
      await hashes(whole, 4, MOTUS_FILES, "-difference"),
    );
    // Companies of the legacy files have edited their census rows meanwhile, which those files must not show.
    const before = new Set((await rows(whole, 0, "census.csv")).map((row) => JSON.stringify(row)));
    const after = await rows(whole, 4, "census.csv");
    const edited = after.filter((row) => !before.has(JSON.stringify(row))).map((row) => row.DOT_NUMBER);
    const legacy = new Set((await legacyCarriers(whole)).map((row) => String(Number(row[1]))));
    expect(edited.filter((dot) => legacy.has(dot ?? "")).length).toBeGreaterThan(10);
  });
});

describe("the formats", () => {
  let dir: string;
  beforeAll(async () => {
    dir = await registryOf({ carriers: 3000, days: 1 });
  });
  const header = async (fixture: string) =>
    (await readFile(new URL(fixture, FIXTURES), "utf8")).split("\n", 1)[0]?.split(",");

  test("have the columns of the real extracts", async () => {
    expect(await header("census_company_sample.csv")).toEqual(CENSUS_COLUMNS);
    expect(await header("motus_carrier_sample.csv")).toEqual(MOTUS_CARRIER_COLUMNS);
    expect(await header("legacy_authhist_sample.csv")).toEqual(LEGACY_AUTHHIST_COLUMNS);
    const sample = parse(await readFile(new URL("legacy_carrier_sample.txt", FIXTURES))) as string[][];
    expect(sample[0]).toHaveLength(43);
    const events = JSON.parse(await readFile(new URL("motus_events_sample.json", FIXTURES), "utf8"));
    const names = Object.keys(events["authhist_yu5v-wbh6"][0]).map((name) => name.toUpperCase());
    const [generated] = await rows(dir, 0, "motus_authhist.csv");
    expect(Object.keys(generated ?? {})).toEqual(names);
  });

  // The parser refuses a record whose length differs from the header's.
  test("have as many fields in every row as columns", async () => {
    expect(Object.keys((await rows(dir, 0, "census.csv"))[0] ?? {})).toEqual(CENSUS_COLUMNS);
    expect(Object.keys((await rows(dir, 0, "motus_carrier.csv"))[0] ?? {})).toEqual(MOTUS_CARRIER_COLUMNS);
    expect(Object.keys((await rows(dir, 0, "legacy_authhist.csv"))[0] ?? {})).toEqual(
      LEGACY_AUTHHIST_COLUMNS,
    );
    const lengths = new Set((await legacyCarriers(dir)).map((row) => row.length));
    expect([...lengths]).toEqual([43]);
  });

  test("write dates as each file does", async () => {
    const census = await rows(dir, 0, "census.csv");
    for (const row of census) {
      expect(row.MCS150_DATE).toMatch(/^(\d{8}( \d{4})?)?$/);
      expect(row.ADD_DATE).toMatch(/^\d{8}$/);
      expect((row.MCS150_DATE ?? "").slice(0, 8) <= "20261001").toBe(true);
    }
    for (const row of await rows(dir, 0, "motus_authhist.csv"))
      expect(row.STATUS_CHANGE_DATE).toMatch(/^\d{8}$/);
    for (const row of await rows(dir, 0, "legacy_authhist.csv"))
      expect(row.ORIG_SERVED_DATE).toMatch(/^\d{2}\/\d{2}\/\d{4}$/);
  });

  test("give each company one USDOT number and each docket one company", async () => {
    const census = await rows(dir, 0, "census.csv");
    expect(new Set(census.map((row) => row.DOT_NUMBER)).size).toBe(3000);
    const dockets = (await legacyCarriers(dir)).map((row) => row[0]);
    expect(new Set(dockets).size).toBe(dockets.length);
  });
});

test("a first day before the cut-over ends the legacy files on that day", async () => {
  const dir = await generate({ firstDay: "2025-03-01", days: 2 });
  const years = (await rows(dir, 1, "legacy_authhist.csv")).map((row) =>
    (row.ORIG_SERVED_DATE ?? "").slice(6),
  );
  expect(countBy(years, (year) => year > "2025" && !["2044", "2517"].includes(year))).toBe(0);
  const native = (await rows(dir, 1, "motus_authhist.csv")).filter((row) => row.REASON === "Granted");
  expect(new Set(native.map((row) => row.STATUS_CHANGE_DATE))).toEqual(new Set(["20250302"]));
});

test("a registry of a few carriers is written too", async () => {
  for (const carriers of [1, 2, 10, 50]) {
    const dir = await generate({ carriers, days: 3 });
    expect(await rows(dir, 0, "census.csv")).toHaveLength(carriers);
    expect((await rows(dir, 2, "census.csv")).length).toBeGreaterThanOrEqual(carriers);
  }
});

describe("the columns of one file", () => {
  const firstRow = async (dir: string, file: string, day = 0) => (await rows(dir, day, file))[0] ?? {};

  test.each(["census.csv", "motus_insur.csv"])("of %s can have one more, in the middle", async (file) => {
    const [usual, changed] = [
      await generate({ carriers: 50 }),
      await generate({ carriers: 50, addedColumn: file }),
    ];
    const [before, after] = [await firstRow(usual, file), await firstRow(changed, file)];
    const added = Object.keys(after).filter((column) => !(column in before));
    expect(added).toEqual(["RECORD_SOURCE"]);
    expect(Object.keys(after).indexOf("RECORD_SOURCE")).toBeLessThan(Object.keys(before).length);
    expect(after).toEqual({ ...before, RECORD_SOURCE: "MOTUS" });
    expect(await firstRow(changed, "motus_carrier.csv")).toEqual(await firstRow(usual, "motus_carrier.csv"));
  });

  test.each(["census.csv", "motus_authhist.csv"])("of %s can be in another order", async (file) => {
    const options = { carriers: 50, days: 2, differences: true };
    const [usual, changed] = [await generate(options), await generate({ ...options, reordered: file })];
    expect(await rows(changed, 1, file)).toEqual(await rows(usual, 1, file));
    const [before, after] = [await firstRow(usual, file, 1), await firstRow(changed, file, 1)];
    expect(Object.keys(after)).toEqual(Object.keys(before).reverse());
    if (file === "motus_authhist.csv")
      expect(await differenceRows(changed, 1, file)).toEqual(await differenceRows(usual, 1, file));
  });
});
