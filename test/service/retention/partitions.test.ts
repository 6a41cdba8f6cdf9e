// Partitions by month: they are there in time, no row is lost, and a month goes only when nobody is kept waiting.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Context } from "../../../src/platform/context.ts";
import { dropPartitions, makePartitions } from "../../../src/retention/clear.ts";
import { settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { putRows } from "../../support/rows.ts";

let database: TestDatabase;
let context: Context;
const clock = settableClock("2026-11-30T23:59:59Z");

beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, clock);
});
beforeEach(async () => {
  clock.set("2026-11-30T23:59:59Z");
  await query(`
    DROP TABLE IF EXISTS reading, note;
    CREATE TABLE reading (taken_at timestamptz, value int DEFAULT 7 CHECK (value > 0)) PARTITION BY RANGE (taken_at);
    CREATE TABLE note (on_day date, text text) PARTITION BY RANGE (on_day)`);
});
afterAll(async () => {
  await context.db.close();
  await database.drop();
});

const query = async (sql: string) => (await context.db.bulkPool.query(sql)).rows;

/** Rows by partition. */
const rowsOf = async (table: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await query(`SELECT tableoid::regclass::text AS part, count(*)::int AS rows FROM ${table} GROUP BY 1`)
    ).map(({ part, rows }) => [String(part).replace(`partitions.${table}_`, ""), rows]),
  );

const partsOf = async (table: string): Promise<string[]> =>
  (
    await query(
      `SELECT inhrelid::regclass::text AS part FROM pg_inherits WHERE inhparent = '${table}'::regclass ORDER BY 1`,
    )
  ).map(({ part }) => String(part).replace(`partitions.${table}_`, ""));

it("this month, the next two and a default are made, once", async () => {
  expect(await makePartitions(context, "reading")).toBe(4);
  expect(await partsOf("reading")).toEqual(["2026_11", "2026_12", "2027_01", "default"]);
  expect(await makePartitions(context, "reading")).toBe(0);
  clock.set("2026-12-01T00:00:00Z");
  expect(await makePartitions(context, "reading")).toBe(1);
  expect((await partsOf("reading")).at(-2)).toBe("2027_02");
});

it("months are those of UTC, whatever a session's time zone", async () => {
  const client = await context.db.bulkPool.connect();
  await client.query("SET TimeZone = 'America/Chicago'");
  await client.query("SELECT make_partitions('reading', '2026-12-01T00:00:00Z')");
  await client.query("RESET TimeZone");
  client.release();
  await query("INSERT INTO reading VALUES ('2026-12-01T00:00:00Z'), ('2026-12-31T23:59:59.999999Z')");
  expect(await rowsOf("reading")).toEqual({ "2026_12": 2 });
});

it("several processes make them at once", async () => {
  const made = await Promise.all([1, 2, 3, 4].map(() => makePartitions(context, "reading")));
  expect(made.toSorted()).toEqual([0, 0, 0, 4]);
});

it.each([
  ["reading", "taken_at"],
  ["note", "on_day"],
])("a row of another month is kept, and moves to its month: %s", async (table, column) => {
  await makePartitions(context, table);
  const days = ["2026-08-31", "2026-09-01", "2027-05-31", "2026-11-02", "infinity", null];
  await putRows(context.db.bulkPool, table, ...days.map((day) => ({ [column]: day })));
  expect(await rowsOf(table)).toEqual({ "2026_11": 1, default: 5 });
  expect(await makePartitions(context, table)).toBe(3);
  expect(await rowsOf(table)).toEqual({ "2026_08": 1, "2026_09": 1, "2026_11": 1, "2027_05": 1, default: 2 });
});

it("only whole months before a time are dropped", async () => {
  clock.set("2026-06-10T00:00:00Z");
  await makePartitions(context, "reading");
  await query("INSERT INTO reading VALUES ('2026-06-30'), ('2026-07-01'), ('2026-08-09')");
  const before = (iso: string) => dropPartitions(context, { table: "reading", before: new Date(iso) });
  expect(await before("2026-07-31T23:59:59Z")).toEqual(["partitions.reading_2026_06"]);
  expect(await before("2026-08-01T00:00:00Z")).toEqual(["partitions.reading_2026_07"]);
  expect(await rowsOf("reading")).toEqual({ "2026_08": 1 });
  expect(await before("2126-01-01T00:00:00Z")).toEqual(["partitions.reading_2026_08"]);
  expect(await partsOf("reading")).toEqual(["default"]);
});

it("a reader is not kept waiting: a month that it reads stays until later", async () => {
  await makePartitions(context, "reading");
  const reader = await context.db.pool.connect();
  await reader.query("BEGIN");
  await reader.query("SELECT FROM reading");
  const drop = () => dropPartitions(context, { table: "reading", before: new Date("2027-01-01T00:00:00Z") });
  expect(await drop()).toBeNull();
  clock.set("2026-12-01T00:00:00Z");
  expect(await makePartitions(context, "reading")).toBeNull();
  await reader.query("ROLLBACK");
  reader.release();
  expect(await drop()).toEqual(["partitions.reading_2026_11", "partitions.reading_2026_12"]);
  expect(await makePartitions(context, "reading")).toBe(2);
});

it("a table without months is refused", async () => {
  await expect(makePartitions(context, "account")).rejects.toThrow("account is not partitioned by a column");
});
