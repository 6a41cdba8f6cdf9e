import { afterAll, beforeAll, expect, test } from "vitest";
import { STAGED_COLUMNS } from "../../../src/importer/layouts/layouts.ts";
import type { Context } from "../../../src/platform/context.ts";
import type { Dataset } from "../../../src/registry/datasets.ts";
import { mergeDataset, openTouchedDockets } from "../../../src/registry/merge.ts";
import { updateRegistry } from "../../../src/registry/update-registry.ts";
import { settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { reverseColumns } from "../../support/registry/column-order.ts";

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

const STAGED: Partial<Record<Dataset, string>> = {
  motus_authhist: `SELECT md5(n::text)::uuid, 'MC' || n / 2, n, 'Broker', 'broker', 'active', 'Granted', DATE '2026-09-01'`,
  motus_insur: `SELECT md5(n::text)::uuid, 'MC' || n / 2, n, '91X', '1', 'P', 750000, 'AB', 'AB', NULL, NULL, NULL`,
  census: `SELECT n, 'A', 'CARRIER ' || n, NULL, NULL, NULL, 'TX', NULL, NULL, 'US', NULL, NULL, NULL, 1, 1, false, NULL, NULL, NULL, NULL, NULL,
    NULL, NULL, NULL, NULL, NULL`,
};

/** Stages many rows without those that meet a condition on their number n, and merges them. */
const mergeMany = (dataset: Dataset, leftOut = "false") =>
  context.db.bulkTransaction(async (client) => {
    await client.query(`TRUNCATE staging.${dataset}`);
    await client.query(
      `INSERT INTO staging.${dataset} (${STAGED_COLUMNS[dataset]}) ${STAGED[dataset]} FROM generate_series(0, ${MANY - 1}) AS n WHERE NOT (${leftOut})`,
    );
    await openTouchedDockets(client);
    const changes = await mergeDataset(client, dataset, STAGED_COLUMNS[dataset]);
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
    await context.db.pool.query(
      `DELETE FROM ${dataset} WHERE ${key} IN (SELECT ${key} FROM ${dataset} ORDER BY ${key} LIMIT 3)`,
    );
    expect(await mergeMany(dataset)).toMatchObject({ inserted: 3, updated: 0, deleted: 0, stored: MANY });
  },
);

test("inserted, updated and deleted census rows are counted separately", async () => {
  await context.db.pool.query("UPDATE census SET phone = '5125550100' WHERE usdot BETWEEN 11 AND 14");
  await context.db.pool.query("DELETE FROM census WHERE usdot BETWEEN 1 AND 5");
  const changes = await mergeMany("census", "n BETWEEN 21 AND 27");
  expect(changes).toMatchObject({ inserted: 5, updated: 4, deleted: 7, stored: MANY - 7 });
  expect(await mergeMany("census", "n BETWEEN 21 AND 27")).toMatchObject({
    inserted: 0,
    updated: 0,
    deleted: 0,
  });
});

test("authorities of a large first import are stored, and the next import compares", async () => {
  const indexes = await indexesOf("authority");
  await context.db.pool.query("TRUNCATE motus_authhist");
  await context.db.pool.query(
    `INSERT INTO legacy_carrier (row_id, docket, usdot, common_stat, common_pending, contract_pending, broker_pending,
       common_revoking, contract_revoking, broker_revoking, property, passenger, household_goods)
     SELECT md5(n::text)::uuid, 'FF' || n, n, 'A', false, false, false, false, false, false, false, false, false
     FROM generate_series(1, ${MANY}) AS n`,
  );
  const update = () =>
    context.db.bulkTransaction(async (client) => {
      await openTouchedDockets(client);
      await client.query("INSERT INTO touched_docket SELECT docket FROM legacy_carrier");
      const { authorities } = await updateRegistry(client, { asOf: "2026-10-01", previousAsOf: null });
      return authorities;
    });
  expect(await update()).toEqual({ inserted: MANY, updated: 0, deleted: 0 });
  expect(await indexesOf("authority")).toEqual(indexes);
  await context.db.pool.query("DELETE FROM authority WHERE usdot <= 3");
  await context.db.pool.query("UPDATE authority SET status = 'inactive' WHERE usdot BETWEEN 4 AND 5");
  expect(await update()).toEqual({ inserted: 3, updated: 2, deleted: 0 });
});
