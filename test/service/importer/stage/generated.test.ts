import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkStaged } from "../../../../src/importer/checks/check.ts";
import { stageFolder } from "../../../../src/importer/stage/stage.ts";
import type { StagedSet } from "../../../../src/importer/stage/staged-set.ts";
import { generate, removeGenerated, rows } from "../../../support/registry/generated-registry.ts";
import { openStaging, type Staging } from "./staging.ts";

const DAYS = ["2026-10-01", "2026-10-02", "2026-10-03"];

let staging: Staging;
let dir: string;
const staged: StagedSet[] = [];

beforeAll(async () => {
  staging = await openStaging();
  dir = await generate({ days: DAYS.length });
});

afterAll(async () => {
  await staging.close();
  await removeGenerated();
});

test("a generated registry is accepted day after day, as an operator imports it", async () => {
  for (const [day, today] of DAYS.entries()) {
    const set = await stageFolder(staging.context, { dir: join(dir, `day-0${day}`), today });
    const options = { today, isTodayGiven: true, startsAnew: false, accept: new Set<string>() };
    await checkStaged(staging.context, set, options);
    await staging.publish(set);
    staged.push(set);
    expect(set.newestByDataset.get("motus_authhist")).toBe(today);
    expect(set.skipped).toEqual([]);
  }
});

test("every row of its files is kept, left out or dropped as a repeat, and counted", async () => {
  for (const set of staged) {
    for (const { rowsRead, kept, duplicates, rejected } of set.files)
      expect(kept + duplicates + Object.values(rejected).reduce((sum, count) => sum + count, 0)).toBe(
        rowsRead,
      );
  }
  const [first] = staged;
  const read = Object.fromEntries(first?.files.map((file) => [file.file, file]) ?? []);
  for (const file of ["census.csv", "motus_carrier.csv", "motus_authhist.csv", "legacy_authhist.csv"])
    expect(read[file]?.rowsRead).toBe((await rows(dir, 0, file)).length);
  // The oddities that the generator writes into every registry.
  expect(read["motus_carrier.csv"]?.rejected).toMatchObject({ "no USDOT number": expect.any(Number) });
  expect(read["motus_authhist.csv"]?.duplicates).toBeGreaterThan(0);
  expect(read["legacy_authhist.csv"]?.repaired).toMatchObject({ "corrupt date": expect.any(Number) });
  expect(read["census.csv"]?.repaired).toMatchObject({ "line in Windows-1252": expect.any(Number) });
});
