// A function that replaces clock_timestamp() moves the database's own clock.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../../../src/platform/context.ts";
import { startDatabaseClock } from "../../../../src/platform/database/database-clock.ts";
import { openDatabase } from "../../../../src/platform/database/db.ts";
import { createMetrics } from "../../../../src/platform/metrics.ts";
import { administer, createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { memoryLog } from "../../../support/memory-log.ts";
import { until } from "../../../support/webhooks/dispatching.ts";

let database: TestDatabase;
let db: Database;
const { log, lines, text } = memoryLog();

const HOUR_MS = 3_600_000;

beforeAll(async () => {
  database = await createTestDatabase();
  await administer(
    database.url,
    `CREATE SCHEMA moved
     CREATE SEQUENCE moved.look
     CREATE TABLE moved.clock (from_look bigint, to_look bigint, by interval);
     CREATE FUNCTION moved.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
       WITH this AS MATERIALIZED (SELECT nextval('moved.look') AS look)
       SELECT pg_catalog.clock_timestamp() + coalesce(
         (SELECT by FROM moved.clock, this WHERE look BETWEEN from_look AND to_look), interval '0')
       FROM this
     $$`,
  );
  const url = new URL(database.url);
  url.searchParams.set("options", "-c search_path=moved,pg_catalog,public");
  db = await openDatabase({ url: url.href, log });
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

/** Starts a clock. From the fourth reading on the database is an hour ahead; the start takes two readings. */
async function startMoved(untilLook: number) {
  await db.pool.query("SELECT setval('moved.look', 1, false)");
  await db.pool.query("DELETE FROM moved.clock");
  await db.pool.query("INSERT INTO moved.clock VALUES (4, $1, '1 hour')", [untilLook]);
  const often = { measureEveryMs: 20, confirmAfterMs: 20 };
  return startDatabaseClock({ db, log, metrics: createMetrics() }, often);
}

const aheadMs = (now: Date): number => now.getTime() - Date.now();

async function looks(): Promise<number> {
  const { rows } = await db.pool.query<{ look: number }>("SELECT last_value AS look FROM moved.look");
  return rows[0]?.look ?? 0;
}

it("ignores a jump of the database's clock that the next reading does not confirm", async () => {
  const { clock, stop } = await startMoved(4);
  let farthestMs = 0;
  await until(async () => {
    farthestMs = Math.max(farthestMs, aheadMs(clock.now()));
    return (await looks()) > 10;
  });
  stop();
  expect(farthestMs).toBeLessThan(HOUR_MS / 2);
  expect(text()).not.toContain("byMs");
});

it("follows a clock that was changed permanently, and logs it once", async () => {
  const { clock, stop } = await startMoved(1_000_000);
  expect(aheadMs(clock.now())).toBeLessThan(HOUR_MS / 2);
  await until(() => aheadMs(clock.now()) > HOUR_MS / 2);
  const changed = await looks();
  await until(async () => (await looks()) > changed + 5);
  stop();
  expect(aheadMs(clock.now())).toBeGreaterThan(HOUR_MS / 2);
  expect(lines().filter(({ byMs }) => byMs !== undefined)).toHaveLength(1);
  expect(lines().filter(({ aheadMs }) => aheadMs !== undefined)).toHaveLength(1);
});
