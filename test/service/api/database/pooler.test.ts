// A pooler before the database: what it ignores is said at the start, and nothing of a session is relied on.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  administer,
  createTestDatabase,
  databaseName,
  type TestDatabase,
} from "../../../support/database.ts";
import { feedRecord, publishFeed } from "../../../support/feeds/published-feed.ts";
import { memoryLog } from "../../../support/memory-log.ts";
import { isPooled } from "../../../support/network/pooled-database.ts";
import { type Pooler, poolerBefore } from "../../../support/network/pooler.ts";
import { spawnTdf } from "../../../support/processes/command.ts";
import { startTestService } from "../../../support/service.ts";

let database: TestDatabase;
let pooler: Pooler;
beforeAll(async () => {
  database = await createTestDatabase();
  pooler = await poolerBefore(database.url);
});
afterAll(async () => {
  await pooler.close();
  await database.drop();
});

beforeEach(({ skip }) => skip(isPooled, "The run has a pooler already, and its role has the settings."));

const alter = (setting: string): Promise<void> =>
  administer(database.url, `ALTER DATABASE ${databaseName(database.url)} SET ${setting}`);

// Warnings go straight to the process's standard error.
const status = (settings: Record<string, string>) =>
  spawnTdf({ DATABASE_URL: pooler.url, ...settings }, "status");

const OWN_SESSION = /A pooler answers imports and migrations.*Set DATABASE_DIRECT_URL/;
const NO_LIMIT = /no time limit for statements.*ALTER ROLE \w+ SET statement_timeout = '5s'/;

it("warns of a missing time limit, and of imports that would go through the pooler", async () => {
  const { err, status: code } = await status({});
  expect(code).toBe(0);
  expect(err).toMatch(NO_LIMIT);
  expect(err).toMatch(OWN_SESSION);
});

it("says nothing once the server has the limit and imports have an address of their own", async () => {
  await alter("statement_timeout = '5s'");
  const { err, status: code } = await status({ DATABASE_DIRECT_URL: database.url });
  expect([err, code]).toEqual(["", 0]);
  expect((await status({ DATABASE_DIRECT_URL: pooler.url })).err).toMatch(OWN_SESSION);
});

it("does not start in another time zone than UTC", async () => {
  await alter("TimeZone = 'America/Chicago'");
  const { err, status: code } = await status({ DATABASE_DIRECT_URL: database.url });
  expect(code).toBe(2);
  expect(err).toMatch(/use the time zone America\/Chicago.*ALTER ROLE \w+ SET TimeZone = 'UTC'/);
  await alter("TimeZone = 'UTC'");
});

it.each([
  ["on", true],
  ["off", false],
])("with DATABASE_STATEMENT_NAMES=%s, prepared statements have names: %s", async (names, areNamed) => {
  const { log } = memoryLog();
  const service = await startTestService({
    databaseUrl: database.url,
    env: { DATABASE_STATEMENT_NAMES: names },
    poolSizes: { requests: 1, bulk: 1 },
    log,
  });
  try {
    const { key } = await service.createAccount({ feeds: { us_brokers: null } });
    await publishFeed(service.context.db, "us_brokers", {
      records: [feedRecord("us_brokers", { dot_number: "1001", state: "TX" })],
      asOf: "2026-11-20",
      now: service.clock.now(),
    });
    for (const path of ["/v1/feeds/us_brokers/records?state=TX", "/v1/usage"])
      expect((await service.get(path, key)).status).toBe(200);
    const { rows } = await service.context.db.pool.query("SELECT name FROM pg_prepared_statements");
    expect(rows.length > 0).toBe(areNamed);
  } finally {
    await service.stop();
  }
});
