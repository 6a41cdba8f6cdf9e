import { generateRegistry } from "../../src/importer/generate/registry.ts";
import { addDays } from "../../src/platform/clock.ts";
import type { ImportDay } from "./import-processes.ts";

const FIRST_DAY = "2026-10-05";

/**
 * Writes a made-up registry of 3,000 carriers as it stood on so many days, each `daysApart` after the one before, so
 * that each import has much to do. Five days apart, the day before is just fresh enough to be served.
 */
export async function generateDays(
  outDir: string,
  { seed, count, daysApart }: { seed: number; count: number; daysApart: number },
): Promise<ImportDay[]> {
  const days: ImportDay[] = [];
  for (let day = 0; day < count * daysApart; day += daysApart) {
    const options = { outDir, carriers: 3_000, seed, firstDay: FIRST_DAY, days: day + 1, fromDay: day };
    for (const { dir } of await generateRegistry(options)) {
      days.push({ dir, now: `${addDays(FIRST_DAY, day)}T18:00:00Z` });
    }
  }
  return days;
}
