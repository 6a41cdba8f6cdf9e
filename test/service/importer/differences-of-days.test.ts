import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkStaged } from "../../../src/importer/checks/check.ts";
import { stageFolder } from "../../../src/importer/stage/stage.ts";
import { addDays } from "../../../src/platform/clock.ts";
import { DATASETS } from "../../../src/registry/datasets.ts";
import { generate, removeGenerated } from "../../support/registry/generated-registry.ts";
import { emptyTables } from "../../support/rows.ts";
import { openStaging, type Staging } from "./stage/staging.ts";

let staging: Staging;

beforeAll(async () => {
  staging = await openStaging();
});

afterAll(async () => {
  await staging.close();
  await removeGenerated();
});

const MOTUS = DATASETS.filter((dataset) => dataset.startsWith("motus_"));

/** For each Motus file the rows that only its table or only its staging table has. */
async function unlikeStaged(): Promise<Record<string, unknown>[]> {
  const statements = MOTUS.map(
    (dataset) => `
      SELECT '${dataset}' AS dataset, coalesce(to_jsonb(staged), to_jsonb(stored)) AS row
      FROM staging.${dataset} AS staged FULL JOIN ${dataset} AS stored USING (row_id)
      WHERE staged IS NULL OR stored IS NULL`,
  );
  return (await staging.context.db.pool.query(statements.join(" UNION ALL "))).rows;
}

test.each([
  [1, "2026-10-01"],
  [7, "2026-06-10"],
])(
  "the first day and the differences after it give the content of each day's whole files (seed %i)",
  async (seed, firstDay) => {
    await emptyTables(staging.context.db.pool, "source", ...DATASETS);
    // Few days of many companies: each day stages thirty files, however many rows they have.
    const days = 4;
    const dir = await generate({ seed, firstDay, days, carriers: 2_000, differences: true });
    const read = (folder: string, today: string, isDifference: boolean) =>
      stageFolder(staging.context, { dir: join(dir, folder), today, isDifference });
    for (let day = 0; day < days; day += 1) {
      const today = addDays(firstDay, day);
      const name = `day-${String(day).padStart(2, "0")}`;
      const staged = await read(day === 0 ? name : `${name}-difference`, today, day > 0);
      await checkStaged(staging.context, staged, {
        today,
        isTodayGiven: true,
        startsAnew: false,
        accept: new Set<string>(),
      });
      await staging.publish(staged, today);
      await read(name, today, false);
      expect(await unlikeStaged(), `day ${day}`).toEqual([]);
    }
  },
);
