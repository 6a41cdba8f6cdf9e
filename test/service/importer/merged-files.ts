import { afterAll, afterEach, beforeAll } from "vitest";
import { stagedRows } from "../../../src/importer/stage/staged-set.ts";
import { DATASETS, type Dataset } from "../../../src/registry/datasets.ts";
import { type Changes, mergeDataset, openTouchedDockets } from "../../../src/registry/merge/merge.ts";
import { emptyTables } from "../../support/rows.ts";
import { datasetCsv } from "./stage/plain-rows.ts";
import { openStaging, type Staging } from "./stage/staging.ts";

export let staging: Staging;

export type Items = Record<string, string>[];

/** Merges a file with these rows. Returns the numbers of changed rows, and the recorded dockets and history rows. */
export async function merge(dataset: Dataset, items: Items, isDifference = false) {
  const { removalKeys } = await staging.stage({ "a.csv": datasetCsv(dataset, items) }, { isDifference });
  return staging.context.db.bulkTransaction(async (client) => {
    await openTouchedDockets(client);
    const changes: Changes = await mergeDataset(client, stagedRows({ isDifference, removalKeys }, dataset));
    const touched = await client.query("SELECT docket FROM touched_docket ORDER BY docket");
    const insertedHistory = await client.query("SELECT row_id FROM new_authhist");
    return {
      ...changes,
      touched: touched.rows.map(({ docket }) => docket),
      insertedHistory: insertedHistory.rows.map(({ row_id }) => row_id),
    };
  });
}

export const difference = (dataset: Dataset, items: Items) => merge(dataset, items, true);

/** A column of the stored rows, sorted. */
export async function stored(dataset: Dataset, column: string): Promise<unknown[]> {
  const { rows } = await staging.context.db.pool.query(
    `SELECT ${column} AS value FROM ${dataset} ORDER BY ${column} NULLS LAST`,
  );
  return rows.map(({ value }) => value);
}

/** A staging area of one test file, whose tables are empty before each of its tests. */
export function useStaging(): void {
  beforeAll(async () => {
    staging = await openStaging();
  });
  afterEach(() => emptyTables(staging.context.db.pool, ...DATASETS));
  afterAll(() => staging.close());
}
