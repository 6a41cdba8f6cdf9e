import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { stageFolder } from "../../../../src/importer/stage/stage.ts";
import type { StagedSet } from "../../../../src/importer/stage/staged-set.ts";
import { openStaging, type Staging, TODAY } from "./staging.ts";

// The real extracts: every row of them is known.
export const FIXTURES = fileURLToPath(new URL("../../../fixtures/fmcsa/", import.meta.url));

export let staging: Staging;
export let staged: StagedSet;
export let census: Map<number, Record<string, unknown>>;
export let progress: { file: string; readBytes: number; sizeBytes: number; rows: number }[];

/** Stages the real extracts for the tests of a file. */
export function useExtracts(): void {
  beforeAll(async () => {
    progress = [];
    staging = await openStaging();
    staged = await stageFolder(staging.context, {
      dir: FIXTURES,
      today: TODAY,
      onProgress: (shown) => progress.push(shown),
    });
    census = new Map((await staging.rows("census")).map((row) => [row.usdot as number, row]));
  });
  afterAll(() => staging.close());
}
