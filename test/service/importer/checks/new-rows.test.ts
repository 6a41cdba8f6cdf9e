import { afterAll, beforeAll, expect, it } from "vitest";
import { importFolder } from "../../../../src/importer/import.ts";
import type { Context } from "../../../../src/platform/context.ts";
import { settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { type RegistryFolders, registryFolders } from "../../../support/registry/registry-folders.ts";

let database: TestDatabase;
let context: Context;
let folders: RegistryFolders;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, settableClock("2026-11-20T12:00:00Z"));
  folders = await registryFolders({ carriers: 1_000, seed: 11, firstDay: "2026-11-18", days: 2 });
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
  await folders.close();
});

// PostgreSQL adds more pages to a table than it needs, in steps that double, so that a file seemed to end before its end.
it("the rows at the end of a file are in its last tenth, whatever the size of its staging table", async () => {
  const importDay = (day: number) =>
    importFolder(context, { dir: folders.day(day), asOf: null, accept: new Set() });
  await importDay(0);
  const { newRows } = await importDay(1);
  // The companies that registered on the day are the last ones of each file.
  const datasets = ["census", "motus_carrier", "motus_authhist"] as const;
  expect(datasets.filter((dataset) => !newRows?.[dataset]?.at(-1))).toEqual([]);
});
