import { inject } from "vitest";
import { beginTestMode } from "../../src/testmode/test-mode.ts";
import { settableClock } from "./clock.ts";
import { openTestContext } from "./context.ts";
import { administer, copyStatement, createTestDatabase, databaseName, onServer } from "./database.ts";

/** The key of the advisory lock of the process that fills the database which all others copy. */
const FILL_LOCK = 73_190_001;

/**
 * Makes the database of test mode of the database at an address, as the first test key does. Only the run's first call
 * fills one, which takes as long as three imports.
 */
export function copyTestMode(url: string): Promise<void> {
  const filled = `${inject("templateName")}_test`;
  return onServer(inject("serverUrl"), async (client) => {
    await client.query("SELECT pg_advisory_lock($1)", [FILL_LOCK]);
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [filled]);
    if (rowCount === 0) await fill(filled);
    await client.query(copyStatement(`${databaseName(url)}_test`, filled));
  });
}

async function fill(name: string): Promise<void> {
  const { url, drop } = await createTestDatabase();
  try {
    const live = await openTestContext(url, settableClock("2026-11-21T12:00:00Z"));
    await beginTestMode(live).finally(() => live.db.close());
    await administer(inject("serverUrl"), `ALTER DATABASE ${databaseName(url)}_test RENAME TO ${name}`);
  } finally {
    await drop();
  }
}
