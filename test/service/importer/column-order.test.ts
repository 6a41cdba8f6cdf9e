// An old database has its columns in the order in which migrations added them, maybe another order than a new one.
import { afterAll, beforeAll, expect, it } from "vitest";
import { importFolder } from "../../../src/importer/import.ts";
import { OFFICIAL_FILES, stagedColumns } from "../../../src/importer/official/official-files.ts";
import type { Context } from "../../../src/platform/context.ts";
import { settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { reverseColumns } from "../../support/registry/column-order.ts";
import { type RegistryFolders, registryFolders } from "../../support/registry/registry-folders.ts";

const FIRST_DAY = "2026-11-16";

let folders: RegistryFolders;
let databases: TestDatabase[];
let contexts: Context[];

beforeAll(async () => {
  folders = await registryFolders({ carriers: 1_500, seed: 7, firstDay: FIRST_DAY, days: 2 });
  databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await reverseColumns(databases[1]?.url ?? "");
  contexts = await Promise.all(
    databases.map(({ url }) => openTestContext(url, settableClock("2026-11-17T18:00:00Z"))),
  );
});

afterAll(async () => {
  for (const { db } of contexts) await db.close();
  for (const database of databases) await database.drop();
  await folders.close();
});

it("imports the same registry, feeds and events into tables with another order of columns", async () => {
  const firstColumns = await Promise.all(contexts.map(firstColumn));
  expect(firstColumns).toEqual(["usdot", "prior_usdot"]);
  for (const context of contexts) {
    for (const day of [0, 1])
      await importFolder(context, { dir: folders.day(day), asOf: null, accept: new Set() });
  }
  const [expected, imported] = await Promise.all(contexts.map(rowsByTable));
  const rows = (table: string) => (expected?.[table] as { rows: number } | undefined)?.rows;
  expect(
    Math.min(...["census", "authority", "event", "feed_1"].map((table) => rows(table) ?? 0)),
  ).toBeGreaterThan(0);
  expect(imported).toEqual(expected);
});

it.each(OFFICIAL_FILES.map(({ dataset }) => ({ dataset })))(
  "fills every column of the table $dataset",
  async ({ dataset }) => {
    const { rows } = await (contexts[0] as Context).db.pool.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns
       WHERE table_schema = 'staging' AND table_name = $1`,
      [dataset],
    );
    expect([...stagedColumns(dataset)].sort()).toEqual(rows.map(({ name }) => name).sort());
  },
);

async function firstColumn({ db }: Context): Promise<string | undefined> {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'census'::regclass AND attnum = 1`,
  );
  return rows[0]?.name;
}

/** Every table's rows as a hash with columns by name, without columns that differ between two imports. */
async function rowsByTable({ db }: Context): Promise<Record<string, unknown>> {
  const { rows: tables } = await db.pool.query<{ schema: string; name: string }>(
    `SELECT schemaname AS schema, tablename AS name FROM pg_tables
     WHERE schemaname IN ('public', 'published')
       AND tablename NOT IN ('import_run', 'installation', 'admission_state', '_prisma_migrations') ORDER BY name`,
  );
  const held: Record<string, unknown> = {};
  for (const { schema, name } of tables) {
    const { rows } = await db.pool.query(
      `SELECT count(*)::int AS rows, md5(coalesce(string_agg(row::text, ',' ORDER BY row::text), '')) AS hash
       FROM (SELECT to_jsonb(t) AS row FROM ${schema}.${name} AS t) AS named`,
    );
    held[name] = rows[0];
  }
  return held;
}
