// One process's clock jumps ahead by 40 days, and back: its writes meanwhile must not affect the others.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { components } from "../../../src/generated/types.ts";
import { addDays, dayOf, systemClock } from "../../../src/platform/clock.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { feedRecord, publishFeed } from "../../support/feeds/published-feed.ts";
import { MAIN } from "../../support/processes/command.ts";
import { TEST_SECRETS_KEY } from "../../support/secrets.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { registerEndpoint } from "../../support/webhooks/endpoints.ts";

const MOVABLE_DATE = fileURLToPath(new URL("../../support/processes/movable-date.ts", import.meta.url));
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let present: TestService;
let moved: ChildProcess;
let movedUrl: string;

beforeAll(async () => {
  database = await createTestDatabase();
  present = await startTestService({
    databaseUrl: database.url,
    clock: { ...systemClock, set() {}, advance() {} },
    env: { OPT_OUT_PER_MINUTE: "2" },
  });
  moved = spawn(process.execPath, ["--import", MOVABLE_DATE, MAIN, "serve"], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      PORT: "0",
      SECRETS_KEY: TEST_SECRETS_KEY,
      OPT_OUT_PER_MINUTE: "2",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  movedUrl = `http://127.0.0.1:${await portOf(moved)}`;
});

afterAll(async () => {
  moved.kill("SIGTERM");
  await once(moved, "exit");
  await present.stop();
  await database.drop();
});

/** The port in the log of the service that listens. */
async function portOf(child: ChildProcess): Promise<number> {
  let text = "";
  for await (const chunk of child.stderr ?? []) {
    text += chunk;
    const [, port] = /"port":(\d+)[^\n]*"msg":"Serving\."/.exec(text) ?? [];
    if (port === undefined) continue;
    child.stderr?.resume();
    return Number(port);
  }
  throw new Error(`The service did not start: ${text}`);
}

const moveClock = async (): Promise<string> => {
  moved.kill("SIGUSR2");
  const [line] = await once(moved.stdout ?? moved, "data");
  return String(line);
};

const post = (url: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

it("all other processes stay in the present: minute, month, limits", async () => {
  const { db } = present.context;
  const account = await present.createAccount({ requestsPerMinute: 1_000, feeds: { us_brokers: null } });
  const { id } = await registerEndpoint(present.context, account.accountId);
  const records = Array.from({ length: 10 }, (_, index) =>
    feedRecord("us_brokers", { dot_number: String(1000 + index) }),
  );
  const now = systemClock.now();
  // Fresh at both times.
  await publishFeed(db, "us_brokers", { records, asOf: addDays(dayOf(now), 40), now });
  const headers = { "X-API-Key": account.key };
  const page = (url: string) => fetch(`${url}/v1/feeds/us_brokers/records?page_size=5`, { headers });
  const testDelivery = (url: string) => post(url, `/v1/webhooks/${id}/test`, {}, headers);
  const optOut = (url: string) => post(url, "/v1/opt-out", { usdot: "999" });
  const signIn = (url: string) =>
    fetch(`${url}/dashboard/sign-in`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ email: "ada@freight.example" }),
    });

  expect(await moveClock()).not.toContain(dayOf(now));
  expect((await page(movedUrl)).status).toBe(200);
  expect((await testDelivery(movedUrl)).status).toBe(202);
  expect((await optOut(movedUrl)).status).toBe(202);
  expect((await signIn(movedUrl)).status).toBeLessThan(400);
  expect(await moveClock()).toContain("The time of day is");

  const answer = await page(present.url);
  expect(answer.status).toBe(200);
  const resetAt = Number(answer.headers.get("X-RateLimit-Reset")) * 1000;
  expect(resetAt).toBeLessThan(Date.now() + HOUR_MS);

  const usage = (await (
    await fetch(`${present.url}/v1/usage`, { headers })
  ).json()) as components["schemas"]["UsageOut"];
  expect(usage.usage.quota_rows).toBe(10);

  // At most one of the minute is left.
  const removals = [await optOut(present.url), await optOut(present.url), await optOut(present.url)];
  const tests = await Promise.all(Array.from({ length: 7 }, () => testDelivery(present.url)));
  const refused = [...removals, ...tests].filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(1);
  for (const { headers } of refused) expect(Number(headers.get("Retry-After"))).toBeLessThanOrEqual(60);

  expect(await datedAhead()).toEqual([]);
});

/** Columns that have a time more than an hour ahead. `oldest_at` is when a row's retention begins, such as the end of a month. */
async function datedAhead(): Promise<string[]> {
  const { pool } = present.context.db;
  const { rows: columns } = await pool.query<{ name: string; column: string; type: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name, column_name AS column, data_type AS type
     FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name <> 'oldest_at'
       AND (data_type = 'timestamp with time zone' OR column_name IN ('minute', 'day', 'month'))`,
  );
  const found: string[] = [];
  for (const { name, column, type } of columns) {
    const time = type === "bigint" ? `to_timestamp(${column} * 60)` : column;
    const { rowCount } = await pool.query(
      `SELECT FROM ${name} WHERE ${time} > now() + interval '1 hour' LIMIT 1`,
    );
    if (rowCount !== 0) found.push(`${name}.${column}`);
  }
  return found;
}
