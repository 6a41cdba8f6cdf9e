import { afterAll, beforeAll, expect } from "vitest";
import { checkStaged } from "../../../../src/importer/checks/check.ts";
import { DATASETS } from "../../../../src/registry/datasets.ts";
import { emptyTables } from "../../../support/rows.ts";
import { datasetCsv, wholeFolder } from "../stage/plain-rows.ts";
import { type Files, openStaging, type Staging, TODAY } from "../stage/staging.ts";

export let staging: Staging;

/** The files of the last good import; `check` does not change the stored data, so the next test can use it. */
let stored: Files | undefined;
/** Everything but the staging tables after that import, which no check changes; null when it is not known. */
let published: string | null = null;

/** Makes these files the last good import, of a database without imports. */
export async function store(files: Files | undefined): Promise<void> {
  if (stored === files) return;
  published = null;
  await emptyTables(staging.context.db.pool, "source", ...DATASETS);
  if (files) await staging.publish(await staging.stage(files));
  stored = files;
}

/** Says that a test changed what is stored itself, and the files that it counts as made of. */
export function noteStored(files: Files): void {
  stored = files;
  published = null;
}

interface Given {
  before?: Files;
  now: Files;
  accept?: string[];
  today?: string;
  isTodayGiven?: boolean;
  startsAnew?: boolean;
  isDifference?: boolean;
}

/** The refusal's name and sentence after importing `before` and checking `now`; null when nothing is refused. */
export async function check(given: Given): Promise<{ checkName: string; message: string } | null> {
  const { before, now, accept = [], today = TODAY, isTodayGiven = false, startsAnew = false } = given;
  const { isDifference = false } = given;
  await store(before);
  const staged = await staging.stage(now, { isDifference });
  published ??= await staging.fingerprint();
  const options = { today, isTodayGiven, startsAnew, accept: new Set(accept) };
  const refusal = await checkStaged(staging.context, staged, options).then(
    () => null,
    (error: unknown) => error,
  );
  expect(await staging.fingerprint()).toBe(published);
  if (refusal === null) return null;
  expect(refusal).toMatchObject({ name: "OperatorError" });
  return refusal as { checkName: string; message: string };
}

/** As `check`, of one file: the others are not in the folder and never were, which is accepted. */
export const checkAlone = ({ accept = [], ...given }: Given): ReturnType<typeof check> =>
  check({ ...given, accept: [...accept, "missing-source"] });

export const rows = (count: number, fields: (index: number) => Record<string, string> = () => ({})) =>
  Array.from({ length: count }, (_, index) => fields(index));
export const folder = wholeFolder(200);
export const census = (count: number, fields?: (index: number) => Record<string, string>) => ({
  "census.csv": datasetCsv("census", rows(count, fields)),
});

/** Gives the tests of a file staging tables of their own. */
export function useChecks(): void {
  beforeAll(async () => {
    staging = await openStaging();
    stored = undefined;
    published = null;
  });
  afterAll(() => staging.close());
}
