import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  countBy,
  FIXTURES,
  legacyCarriers,
  type Row,
  removeGenerated,
  rows,
  share,
} from "../../../test/support/registry/generated-registry.ts";
import { registryOf } from "./registry-of.ts";

afterAll(removeGenerated);

describe("a registry of 20,000 carriers", () => {
  let census: readonly Row[];
  let dir: string;
  beforeAll(async () => {
    dir = await registryOf({ carriers: 20_000, days: 1 });
    census = await rows(dir, 0, "census.csv");
  });

  test("has the registry's proportions of rows", async () => {
    expect(census).toHaveLength(20_000);
    expect(share((await legacyCarriers(dir)).length, census)).toBeCloseTo(0.42, 1);
    const history = share((await rows(dir, 0, "legacy_authhist.csv")).length, census);
    expect(history).toBeGreaterThan(0.95);
    expect(history).toBeLessThan(1.25);
    const motus = share((await rows(dir, 0, "motus_carrier.csv")).length, census);
    expect(motus).toBeGreaterThan(0.025);
    expect(motus).toBeLessThan(0.08);
  });

  test.each([
    ["one power unit", (row: Row) => row.POWER_UNITS === "1", 0.552],
    ["no power unit", (row: Row) => row.POWER_UNITS === "0", 0.134],
    ["two power units", (row: Row) => row.POWER_UNITS === "2", 0.131],
    ["more than ten", (row: Row) => Number(row.POWER_UNITS) > 10, 0.037],
    ["a cell phone", (row: Row) => row.CELL_PHONE !== "", 0.433],
    ["general freight", (row: Row) => row.CRGO_GENFREIGHT === "X", 0.2],
    ["status A", (row: Row) => row.STATUS_CODE === "A", 0.496],
    ["California", (row: Row) => row.PHY_STATE === "CA", 0.112],
    ["Texas", (row: Row) => row.PHY_STATE === "TX", 0.083],
    ["Canada", (row: Row) => row.PHY_COUNTRY === "CA", 0.015],
    ["Mexico", (row: Row) => row.PHY_COUNTRY === "MX", 0.006],
  ] as const)("has the census's share of %s", (_name, holds, expected) => {
    const found = share(countBy(census, holds), census);
    expect(Math.abs(found - expected)).toBeLessThan(0.01 + expected * 0.1);
  });

  test("has 1.11 dockets per company that has one", async () => {
    const legacy = (await legacyCarriers(dir)).filter((row) => row[1] !== "00000000");
    expect(legacy.length / new Set(legacy.map((row) => row[1])).size).toBeCloseTo(1.11, 1);
  });

  test("has counties of the state's own list, some unknown", async () => {
    const list = await readFile(new URL("county_codes_time_zones.csv", FIXTURES), "utf8");
    const known = new Set(list.split("\n").map((line) => line.split(",", 2).join()));
    const american = census.filter(
      (row) => row.PHY_COUNTRY === "US" && !["GU", "AS", "MP"].includes(row.PHY_STATE ?? ""),
    );
    const unknown = american.filter((row) => !known.has(`${row.PHY_STATE},${row.PHY_CNTY}`));
    expect(new Set(unknown.map((row) => row.PHY_CNTY))).toEqual(new Set(["000"]));
    expect(share(unknown.length, american)).toBeLessThan(0.02);
  });
});
