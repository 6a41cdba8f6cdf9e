import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { entryContextOf } from "../../../src/platform/context.ts";
import { prepareSecrets } from "../../../src/webhooks/secrets/prepare-secrets.ts";
import { settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { runTdf } from "../../support/processes/command.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  // Another process has used the database before, with the key of the tests.
  const context = await openTestContext(database.url, settableClock("2026-11-21T12:00:00Z"));
  await prepareSecrets(entryContextOf(context));
  await context.db.close();
});
afterAll(() => database.drop());

it.each([
  ["without a key", "", "SECRETS_KEY is not set"],
  ["with another key than before", randomBytes(32).toString("base64"), "SECRETS_KEY is not the key that"],
])("a service on a named database does not start %s, and says what to do", async (_name, key, words) => {
  const env = { DATABASE_URL: database.url, SECRETS_KEY: key, PORT: "0", LOG_LEVEL: "silent" };
  const { status, err } = await runTdf(env, "serve");
  expect(status).toBe(2);
  expect(err.trimEnd().split("\n")).toEqual([expect.stringContaining(words)]);
});
