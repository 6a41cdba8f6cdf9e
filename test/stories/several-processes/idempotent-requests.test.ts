// A customer whose requests get no answer sends them again with their Idempotency-Key, also to another process.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Context } from "../../../src/platform/context.ts";
import { openEndpointSecret } from "../../../src/webhooks/secrets/secret.ts";
import { openAccount } from "../../support/accounts.ts";
import { settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase, untilLockWait } from "../../support/database.ts";
import { type ServiceProcesses, startServiceProcesses } from "../../support/processes/service-processes.ts";
import { ASKED_ENDPOINT } from "../../support/webhooks/endpoints.ts";

const NOW = "2026-11-21T12:00:00Z";
const KEY = "5f0c6a1e-3b5d-4c0e-9d0a-8f1f4e2b7c66";

let database: TestDatabase;
let context: Context;
let processes: ServiceProcesses;
let accountId: number;
let apiKey: string;

beforeAll(async () => {
  database = await createTestDatabase();
  context = await openTestContext(database.url, settableClock(NOW));
  // Two of them are killed.
  processes = await startServiceProcesses(4, database.url, NOW);
});
afterAll(async () => {
  await processes.stop();
  await context.db.close();
  await database.drop();
});
beforeEach(async () => {
  const plan = { requestsPerMinute: 100_000, feeds: { us_new_authority_weekly: null } };
  ({ accountId, key: apiKey } = await openAccount(context, plan));
});

async function register(process: number) {
  const answer = await fetch(`${processes.urls[process]}/v1/webhooks`, {
    method: "POST",
    headers: { "X-API-Key": apiKey, "Idempotency-Key": KEY, "Content-Type": "application/json" },
    body: JSON.stringify(ASKED_ENDPOINT),
  });
  const isRepeat = answer.headers.get("idempotent-replayed") === "true";
  return { status: answer.status, isRepeat, text: await answer.text() };
}

/** Sends the request again while the first is in progress. */
async function registered(process: number) {
  for (;;) {
    const answer = await register(process);
    if (!answer.text.includes("request_in_progress")) return answer;
  }
}

const endpoints = () => context.db.prisma.webhookEndpoint.findMany({ where: { accountId } });

/** Kills a process while a lock of `locked` keeps its request from going on. */
async function killAt(process: number, locked: string): Promise<void> {
  await context.db.bulkTransaction(async (client) => {
    await client.query(locked);
    const broken = expect(register(process)).rejects.toThrow("fetch failed");
    await untilLockWait(context.db.pool);
    await processes.kill(process);
    await broken;
  });
}

async function expectOneEndpoint(text: string): Promise<void> {
  const { id, secret } = JSON.parse(text);
  const kept = await endpoints();
  expect(kept.map((endpoint) => endpoint.id)).toEqual([id]);
  expect(openEndpointSecret(context, id, kept[0]?.secretSealed ?? new Uint8Array())).toBe(secret);
}

it("50 equal requests at once to two processes make one endpoint, and every answer is the first or none yet", async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => register(index % 2)));
  const { text } = await registered(0);
  const isFirst = ({ status, isRepeat }: (typeof answers)[number]) => status === 201 && !isRepeat;
  expect(answers.filter(isFirst)).toEqual([{ status: 201, isRepeat: false, text }]);
  for (const answer of answers.filter((each) => !isFirst(each))) {
    const refused = expect.stringContaining("request_in_progress");
    expect([
      { status: 201, isRepeat: true, text },
      { status: 409, isRepeat: false, text: refused },
    ]).toContainEqual(answer);
  }
  await expectOneEndpoint(text);
});

it("a process killed before its commit has done nothing: the repeat is the first request", async () => {
  await killAt(2, "LOCK TABLE idempotent_answer IN EXCLUSIVE MODE");
  const { status, isRepeat, text } = await registered(0);
  expect({ status, isRepeat }).toEqual({ status: 201, isRepeat: false });
  await expectOneEndpoint(text);
});

it("a process killed between its commit and its answer has done all: the repeat shows the secret", async () => {
  await context.db.pool.query(HELD_COMMIT);
  await killAt(3, "SELECT pg_advisory_xact_lock(1)");
  const { text, ...answer } = await registered(1);
  expect(answer).toEqual({ status: 201, isRepeat: true });
  await expectOneEndpoint(text);
  expect(await register(0)).toEqual({ status: 201, isRepeat: true, text });
});

/** Commits of answers wait while the test holds the lock. */
const HELD_COMMIT = `
  CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER hold_commit AFTER INSERT ON idempotent_answer DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION hold_commit();`;
