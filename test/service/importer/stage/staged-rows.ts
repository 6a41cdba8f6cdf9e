import { afterAll, beforeAll } from "vitest";
import type { Dataset } from "../../../../src/registry/datasets.ts";
import { datasetCsv } from "./plain-rows.ts";
import { openStaging, type Staging } from "./staging.ts";

export let staging: Staging;

/** Stages one dataset's rows: the counts of the file, and the rows. */
export async function stageRows(dataset: Dataset, items: Record<string, string>[], options = {}) {
  const { files } = await staging.stage({ [`${dataset}.csv`]: datasetCsv(dataset, items) }, options);
  return { ...files[0], rows: await staging.rows(dataset) };
}

/** Gives the tests of a file staging tables of their own. */
export function useStaging(): void {
  beforeAll(async () => {
    staging = await openStaging();
  });
  afterAll(() => staging.close());
}
