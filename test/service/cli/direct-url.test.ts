// DATABASE_DIRECT_URL: the two addresses are different databases here, so that a test sees which of them was used.
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { runTdf } from "../../support/processes/command.ts";

let pooled: TestDatabase;
let direct: TestDatabase;
beforeAll(async () => {
  pooled = await createTestDatabase();
  direct = await createTestDatabase({ isEmpty: true });
});
afterAll(() => Promise.all([pooled.drop(), direct.drop()]));

async function rowsOf(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

it("migrates and imports at the server's own address", async () => {
  const settings = { DATABASE_URL: pooled.url, DATABASE_DIRECT_URL: direct.url };
  expect(await runTdf(settings, "migrate")).toMatchObject({ status: 0 });
  expect(await rowsOf(direct.url, "SELECT to_regclass('feed_version') IS NOT NULL AS migrated")).toEqual([
    { migrated: true },
  ]);
});

it("names the setting whose address does not answer", async () => {
  const wrong = new URL(direct.url);
  wrong.pathname = "/no_such_database";
  const { err, status } = await runTdf(
    { DATABASE_URL: pooled.url, DATABASE_DIRECT_URL: wrong.href },
    "status",
  );
  expect(status).toBe(2);
  expect(err).toContain("Check DATABASE_DIRECT_URL");
});
