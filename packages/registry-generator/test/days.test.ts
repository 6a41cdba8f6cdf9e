import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CENSUS_COLUMNS } from "../../../src/importer/official/census.ts";
import {
  generate,
  hashes,
  LAST_LEGACY_DAY,
  LEGACY_FILES,
  type Row,
  removeGenerated,
  rows,
  text,
} from "../../../test/support/registry/generated-registry.ts";
import { registryOf } from "./registry-of.ts";

afterAll(removeGenerated);

/** The lines of a day's census by USDOT number, the fourth field; none of the fields before it is quoted. */
async function censusLines(dir: string, day: number): Promise<Map<string | undefined, string>> {
  const lines = (await text(dir, day, "census.csv")).split("\n").slice(1, -1);
  return new Map(lines.map((line) => [line.split(",", 4)[3], line]));
}

describe("from one day to the next", () => {
  const DAYS = 10;
  let dir: string;
  beforeAll(async () => {
    dir = await registryOf({ carriers: 3000, days: DAYS });
  });

  test("about 0.2% of the census changes; some companies are added and some removed", async () => {
    let [edited, added, removed] = [0, 0, 0];
    let before = await censusLines(dir, 0);
    for (let day = 1; day < DAYS; day += 1) {
      const after = await censusLines(dir, day);
      for (const [dot, row] of after) {
        if (!before.has(dot)) added += 1;
        else if (before.get(dot) !== row) edited += 1;
      }
      removed += [...before.keys()].filter((dot) => !after.has(dot)).length;
      before = after;
    }
    const changesPerDay = (edited + added + removed) / (DAYS - 1);
    expect(changesPerDay / 3000).toBeGreaterThan(0.001);
    expect(changesPerDay / 3000).toBeLessThan(0.005);
    expect(added).toBe(2 * (DAYS - 1));
    expect(removed).toBeGreaterThanOrEqual(1);
  });

  test("the requested share of companies edit their row", async () => {
    const busy = await generate({ days: 2, dailyEdits: 0.01 });
    const [before, after] = [await censusLines(busy, 0), await censusLines(busy, 1)];
    const share = [...after].filter(([dot, line]) => before.get(dot) !== line).length / after.size;
    expect(share).toBeGreaterThan(0.007);
    expect(share).toBeLessThan(0.013);
  });

  test("edits change what companies file: trucks, drivers, contacts, names and addresses", async () => {
    const [before, after] = [await rows(dir, 0, "census.csv"), await rows(dir, DAYS - 1, "census.csv")];
    const old = new Map(before.map((row) => [row.DOT_NUMBER, row]));
    const fleet = ["TRUCK_UNITS", "POWER_UNITS", "FLEETSIZE", "OWNTRUCK", "TOTAL_CDL", "TOTAL_DRIVERS"];
    const address = ["PHY_STREET", "PHY_CITY", "CARRIER_MAILING_STREET", "CARRIER_MAILING_CITY"];
    const names = ["LEGAL_NAME", "DBA_NAME"];
    const allowed = [
      "MCS150_DATE",
      "MCS150_MILEAGE",
      "PHONE",
      "EMAIL_ADDRESS",
      ...fleet,
      ...address,
      ...names,
    ];
    const changed = new Set<string>();
    for (const row of after) {
      const was = old.get(row.DOT_NUMBER);
      if (was) for (const column of CENSUS_COLUMNS) if (row[column] !== was[column]) changed.add(column);
    }
    expect([...changed].sort()).toEqual(allowed.sort());
  });

  test("Motus gains each kind of change, dated that day", async () => {
    const reasons = new Set<string>();
    for (let day = 1; day < DAYS; day += 1) {
      const date = `202610${String(day + 1).padStart(2, "0")}`;
      const before = new Set(
        (await rows(dir, day - 1, "motus_authhist.csv")).map((row) => JSON.stringify(row)),
      );
      for (const row of await rows(dir, day, "motus_authhist.csv")) {
        if (row.STATUS_CHANGE_DATE !== date || before.has(JSON.stringify(row))) continue;
        reasons.add((row.REASON ?? "").split(/ by | - /, 1)[0] ?? "");
      }
      const newest = (await rows(dir, day, "motus_authhist.csv")).filter(
        (row) => row.STATUS_CHANGE_DATE === date,
      );
      expect(newest.length, date).toBeGreaterThan(0);
    }
    for (const reason of [
      "Published to FMCSA Register",
      "Granted",
      "Reinstated",
      "Involuntary Suspension",
      "Withdrawn",
    ])
      expect(reasons).toContain(reason);
  });

  // A history that drops rows would report old changes again later. The registry deletes a few rows that were mistakes.
  test.each([
    ["motus_authhist.csv", (row: Row) => Object.values(row)],
    ["motus_revokesuspend.csv", (row: Row) => Object.values(row)],
    ["motus_carrier.csv", (row: Row) => [row.DOCKET_NUMBER, row.USDOT_NUMBER, row.OP_AUTH_TYPE]],
  ])("%s only grows, except for one row in two hundred", async (file, keyOf) => {
    const keys = async (day: number) =>
      new Set((await rows(dir, day, file)).map((row) => keyOf(row).join("|")));
    const last = await keys(DAYS - 1);
    let removed = new Set<string>();
    for (let day = 0; day < DAYS - 1; day += 1) removed = removed.union((await keys(day)).difference(last));
    expect(removed.size).toBeLessThanOrEqual(last.size * 0.005);
  });

  test("the status in Motus Carrier is that of the last row of the history", async () => {
    const last = new Map<string, Row>();
    const history = await rows(dir, DAYS - 1, "motus_authhist.csv");
    // Repeated rows are at the end of a company's rows.
    const distinct = new Map(history.map((row) => [JSON.stringify(row), row])).values();
    for (const row of distinct) {
      const key = `${row.DOCKET_NUMBER} ${row.OP_AUTH_TYPE}`;
      if ((row.STATUS_CHANGE_DATE ?? "") > "20261010" || /^0189/.test(row.STATUS_CHANGE_DATE ?? "")) continue;
      const known = last.get(key);
      if (!known || (row.STATUS_CHANGE_DATE ?? "") >= (known.STATUS_CHANGE_DATE ?? "")) last.set(key, row);
    }
    for (const row of await rows(dir, DAYS - 1, "motus_carrier.csv")) {
      const known = last.get(`${row.DOCKET_NUMBER} ${row.OP_AUTH_TYPE}`);
      if (known?.STATUS_CHANGE_DATE && known.STATUS_CHANGE_DATE > LAST_LEGACY_DAY && row.DOCKET_NUMBER)
        expect(row.OP_AUTH_STATUS).toBe(known.OP_AUTH_STATUS);
    }
  });

  test("the legacy files keep the same bytes and have nothing after the cut-over", async () => {
    for (let day = 1; day < DAYS; day += 1)
      expect(await hashes(dir, day, LEGACY_FILES)).toEqual(await hashes(dir, 0, LEGACY_FILES));
    for (const row of await rows(dir, 0, "legacy_authhist.csv"))
      for (const column of ["ORIG_SERVED_DATE", "DISP_SERVED_DATE"] as const) {
        const [month, date, year] = (row[column] ?? "").split("/");
        if (year && !["2044", "2517"].includes(year))
          expect(`${year}${month}${date}` <= LAST_LEGACY_DAY).toBe(true);
      }
  });
});
