import { afterAll, beforeAll, expect, test } from "vitest";
import { stagedColumns } from "../../../src/importer/official/official-files.ts";
import type { Context } from "../../../src/platform/context.ts";
import { updateRegistry } from "../../../src/registry/authorities/update-registry.ts";
import { mergeDataset, openTouchedDockets } from "../../../src/registry/merge/merge.ts";
import { settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { reverseColumns } from "../../support/registry/column-order.ts";
import { touchEveryDocket } from "../../support/registry/derived-registry.ts";
import { type ManyDataset, putManyForwarders, stageMany } from "../../support/registry/many-rows.ts";
import { changeRows, emptyTables, removeRows } from "../../support/rows.ts";

let database: TestDatabase;
let context: Context;

beforeAll(async () => {
  database = await createTestDatabase();
  // Every statement names its columns, so their order must not matter.
  await reverseColumns(database.url);
  context = await openTestContext(database.url, settableClock("2026-10-01T12:00:00Z"));
});

afterAll(async () => {
  await context.db.close();
  await database.drop();
});

/** More rows than the limit from which a first import's table is filled without indexes, two to a docket. */
const MANY = 20_002;

/** Stages many rows without those of some numbers, and merges them. */
const mergeMany = (dataset: ManyDataset, leftOut: readonly number[] = []) =>
  context.db.bulkTransaction(async (client) => {
    await stageMany(client, dataset, { count: MANY, leftOut });
    await openTouchedDockets(client);
    const columns = stagedColumns(dataset);
    const changes = await mergeDataset(client, {
      dataset,
      table: `staging.${dataset}`,
      columns,
      removalKeys: null,
    });
    const { rows } = await client.query(
      `SELECT (SELECT count(*) FROM touched_docket) AS touched, (SELECT count(*) FROM new_authhist) AS news,
         (SELECT count(*) FROM ${dataset}) AS stored`,
    );
    return { ...changes, ...rows[0] };
  });

async function indexesOf(table: string): Promise<string[]> {
  const { rows } = await context.db.pool.query<{ line: string }>(
    `SELECT indexdef || coalesce(' ' || contype::text, '') AS line FROM pg_indexes
     LEFT JOIN pg_constraint ON conname = indexname AND conrelid = tablename::regclass
     WHERE schemaname = 'public' AND tablename = $1 ORDER BY 1`,
    [table],
  );
  return rows.map(({ line }) => line);
}

test.each([
  ["motus_authhist", { touched: MANY / 2, news: MANY }],
  ["motus_insur", { touched: 0, news: 0 }],
  ["census", { touched: 0, news: 0 }],
] as const)(
  "a large first import of %s stores every row, and the table keeps its indexes",
  async (dataset, noted) => {
    const indexes = await indexesOf(dataset);
    expect(indexes.length).toBeGreaterThan(0);
    expect(await mergeMany(dataset)).toEqual({
      inserted: MANY,
      updated: 0,
      deleted: 0,
      stored: MANY,
      ...noted,
    });
    expect(await indexesOf(dataset)).toEqual(indexes);
    // The next import compares.
    const key = dataset === "census" ? "usdot" : "row_id";
    const { pool } = context.db;
    const { rows } = await pool.query(`SELECT ${key} AS key FROM ${dataset} ORDER BY ${key} LIMIT 3`);
    await removeRows(pool, dataset, { [key]: rows.map((row) => row.key) });
    expect(await mergeMany(dataset)).toMatchObject({ inserted: 3, updated: 0, deleted: 0, stored: MANY });
  },
);

test("inserted, updated and deleted census rows are counted separately", async () => {
  await changeRows(context.db.pool, "census", { phone: "5125550100" }, { usdot: [11, 12, 13, 14] });
  await removeRows(context.db.pool, "census", { usdot: [1, 2, 3, 4, 5] });
  const leftOut = [21, 22, 23, 24, 25, 26, 27];
  const changes = await mergeMany("census", leftOut);
  expect(changes).toMatchObject({ inserted: 5, updated: 4, deleted: 7, stored: MANY - 7 });
  expect(await mergeMany("census", leftOut)).toMatchObject({
    inserted: 0,
    updated: 0,
    deleted: 0,
  });
});

test("authorities of a large first import are stored, and the next import compares", async () => {
  const indexes = await indexesOf("authority");
  await emptyTables(context.db.pool, "motus_authhist");
  await putManyForwarders(context.db.pool, MANY);
  const update = () =>
    context.db.bulkTransaction(async (client) => {
      await openTouchedDockets(client);
      await touchEveryDocket(client);
      const { authorities } = await updateRegistry(client, { asOf: "2026-10-01", previousAsOf: null });
      return authorities;
    });
  expect(await update()).toEqual({ inserted: MANY, updated: 0, deleted: 0 });
  expect(await indexesOf("authority")).toEqual(indexes);
  await removeRows(context.db.pool, "authority", { usdot: [1, 2, 3] });
  await changeRows(context.db.pool, "authority", { status: "inactive" }, { usdot: [4, 5] });
  expect(await update()).toEqual({ inserted: 3, updated: 2, deleted: 0 });
});
