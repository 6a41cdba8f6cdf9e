import { addDays } from "../../../src/platform/clock.ts";
import { generateRegistry } from "../../../src/synthetic/registry.ts";
import type { ImportDay } from "../processes/import-processes.ts";

const FIRST_DAY = "2026-10-05";

/** Far enough apart that each import has much to do, and that it removes the versions of the one before the last. */
const DAYS_APART = 5;

/** Writes a made-up registry of 3,000 carriers as it stood on so many days, five days apart. */
export async function generateDays(
  outDir: string,
  { seed, count }: { seed: number; count: number },
): Promise<ImportDay[]> {
  const days: ImportDay[] = [];
  for (let day = 0; day < count * DAYS_APART; day += DAYS_APART) {
    const options = { outDir, carriers: 3_000, seed, firstDay: FIRST_DAY, days: day + 1, fromDay: day };
    for (const { dir } of await generateRegistry(options)) {
      days.push({ dir, now: `${addDays(FIRST_DAY, day)}T18:00:00Z` });
    }
  }
  return days;
}
