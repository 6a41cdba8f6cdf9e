import { generateRegistry } from "../../../src/cli/registry/made-up-registry.ts";
import { addDays } from "../../../src/platform/clock.ts";
import type { ImportDay } from "../processes/import-processes.ts";

const FIRST_DAY = "2026-10-05";

/** So far apart that each import changes much and removes the versions of the import before the last one. */
const DAYS_APART = 5;

/** Writes `count` days of a made-up registry of 1,500 carriers, five days apart. */
export async function generateDays(
  outDir: string,
  { seed, count }: { seed: number; count: number },
): Promise<ImportDay[]> {
  const days: ImportDay[] = [];
  for (let day = 0; day < count * DAYS_APART; day += DAYS_APART) {
    const options = { outDir, carriers: 1_500, seed, firstDay: FIRST_DAY, days: day + 1, fromDay: day };
    for (const { dir } of await generateRegistry(options)) {
      days.push({ dir, now: `${addDays(FIRST_DAY, day)}T18:00:00Z` });
    }
  }
  return days;
}
