// DATABASE_DIRECT_URL: nothing can be written at the other address here, so that a test sees which of them was used.
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { runTdf } from "../../support/processes/command.ts";

let direct: TestDatabase;
let other: TestDatabase;
/** The database of `direct`, where every transaction only reads. */
let readingUrl: string;
beforeAll(async () => {
  [direct, other] = await Promise.all([createTestDatabase({ isEmpty: true }), createTestDatabase()]);
  const url = new URL(direct.url);
  url.searchParams.set("options", "-c default_transaction_read_only=on");
  readingUrl = url.href;
});
afterAll(() => Promise.all([direct.drop(), other.drop()]));

async function rowsOf(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const IS_MIGRATED = "SELECT to_regclass('feed_version') IS NOT NULL AS migrated";

// As when the address of a copy is given to one command, and the other setting still names the live database.
it.each(["migrate", "status", "restore"])(
  "refuses two databases, and changes neither: %s",
  async (command) => {
    const settings = { DATABASE_URL: other.url, DATABASE_DIRECT_URL: direct.url };
    const { err, status } = await runTdf(
      settings,
      command,
      ...(command === "restore" ? ["no-such-file"] : []),
    );
    expect(err).toMatch(/^DATABASE_DIRECT_URL leads to another database than DATABASE_URL\. Unset it/);
    expect(status).toBe(2);
    expect(await rowsOf(direct.url, IS_MIGRATED)).toEqual([{ migrated: false }]);
  },
);

it("migrates and imports at the server's own address", async () => {
  const settings = { DATABASE_URL: readingUrl, DATABASE_DIRECT_URL: direct.url };
  expect(await runTdf(settings, "migrate")).toMatchObject({ status: 0 });
  expect(await rowsOf(direct.url, IS_MIGRATED)).toEqual([{ migrated: true }]);
});

it("names the setting whose address does not answer", async () => {
  const wrong = new URL(direct.url);
  wrong.pathname = "/no_such_database";
  const { err, status } = await runTdf(
    { DATABASE_URL: readingUrl, DATABASE_DIRECT_URL: wrong.href },
    "status",
  );
  expect(status).toBe(2);
  expect(err).toContain("Check DATABASE_DIRECT_URL");
});
