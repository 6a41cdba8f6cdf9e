import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generateRegistry } from "../../../../src/cli/registry/made-up-registry.ts";
import { stageFolder } from "../../../../src/importer/stage/stage.ts";
import type { StagedSet } from "../../../../src/importer/stage/staged-set.ts";
import { DATASETS } from "../../../../src/registry/datasets.ts";
import { openStaging, type Staging, TODAY } from "./staging.ts";

let folder: string;
let staging: Staging;
let staged: StagedSet;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tdf-profile-"));
  await generateRegistry({ outDir: folder, carriers: 1_000, seed: 7, days: 1, firstDay: TODAY });
  staging = await openStaging();
  staged = await stageFolder(staging.context, { dir: path.join(folder, "day-00"), today: TODAY });
});
afterAll(async () => {
  await staging.close();
  await rm(folder, { recursive: true });
});

const NEWEST_OF: Record<string, string[]> = {
  motus_authhist: ["changed_on"],
  motus_revokesuspend: ["served_on"],
  motus_insur: ["filed_on"],
  legacy_authhist: ["action_on", "final_on"],
  legacy_revocation: ["served_on"],
  legacy_actpendinsur: ["filed_on"],
  oos_order: ["ordered_on", "rescinded_on"],
};

test.each(DATASETS)("the counts of %s taken while it is written are PostgreSQL's counts", async (dataset) => {
  const { pool } = staging.context.db;
  const { rows: columns } = await pool.query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = 'staging' AND table_name = $1 AND column_name <> 'row_id'`,
    [dataset],
  );
  const counted = async (expression: string): Promise<unknown> => {
    const { rows } = await pool.query(
      `SELECT ${expression} AS value FROM staging.${dataset} WHERE $1::date IS NOT NULL`,
      [TODAY],
    );
    return rows[0]?.value;
  };
  const profile = staged.profiles.get(dataset);
  expect(profile?.rows).toBe(await counted("count(*)"));
  expect(profile?.rows).toBeGreaterThan(20);
  const newest = (NEWEST_OF[dataset] ?? []).map((name) => `max(${name}) FILTER (WHERE ${name} <= $1)`);
  // Of the census' days only the newest is kept; the files written for this day have this day.
  expect(profile?.newestRowOn).toBe(
    dataset === "census" ? TODAY : await counted(`greatest(${["NULL::date", ...newest].join(", ")})::text`),
  );
  for (const { name, type } of columns) {
    // Of columns that companies may leave out, every answer counts; of the others, only yes.
    const isYes = type === "boolean" && (dataset !== "census" || name === "general_freight");
    const filled = isYes ? `count(*) FILTER (WHERE ${name})` : `count(nullif(${name}::text, 'unknown'))`;
    expect([name, profile?.filledShare[name]]).toEqual([name, await counted(`${filled}::float8 / count(*)`)]);
  }
  const { rows: states } = columns.some(({ name }) => name === "state")
    ? await pool.query<{ state: string; rows: number }>(
        `SELECT state, count(*)::int AS rows FROM staging.${dataset} WHERE state IS NOT NULL GROUP BY state`,
      )
    : { rows: [] };
  expect(profile?.byState).toEqual(Object.fromEntries(states.map(({ state, rows }) => [state, rows])));
});
