// A database of the design before: each delivery was a row with a status, and attempts were in a table of their own.
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { configFrom } from "../../../src/platform/config/config.ts";
import type { Context } from "../../../src/platform/context.ts";
import { migrate } from "../../../src/platform/database/migrate.ts";
import { createLog } from "../../../src/platform/log.ts";
import { sealEndpointSecret } from "../../../src/webhooks/secrets/secret.ts";
import { settableClock } from "../../support/clock.ts";
import { openTestContext } from "../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { TEST_SECRETS } from "../../support/secrets.ts";
import { attemptsOf, deliveriesOf } from "../../support/webhooks/deliveries.ts";
import { LOOPBACK_ENV, startTestDispatcher, until } from "../../support/webhooks/dispatching.ts";
import { type Receiver, startReceiver } from "../../support/webhooks/receiver.ts";

const MIGRATIONS = path.join(import.meta.dirname, "../../../prisma/migrations");
const UPGRADE = "20261130000000_dispatchers_own_accounts";

let database: TestDatabase;
let folder: string;
let old: pg.Client;
let receiver: Receiver;

const upgrade = () => migrate(database.url, { folder: MIGRATIONS, log: createLog("silent") });

beforeEach(async () => {
  [database, folder, receiver] = await Promise.all([
    createTestDatabase({ isEmpty: true }),
    mkdtemp(path.join(tmpdir(), "tdf-old-")),
    startReceiver(),
  ]);
  for (const name of (await readdir(MIGRATIONS)).filter((one) => one < UPGRADE)) {
    await cp(path.join(MIGRATIONS, name), path.join(folder, name), { recursive: true });
  }
  await migrate(database.url, { folder, log: createLog("silent") });
  old = new pg.Client({ connectionString: database.url });
  await old.connect();
  await old.query(OLD_ROWS);
  await old.query("UPDATE webhook_endpoint SET url = $1, secret_sealed = $2", [
    `${receiver.url}/in`,
    sealEndpointSecret({ secrets: TEST_SECRETS }, 1, "whsec_a"),
  ]);
});
afterEach(async () => {
  await old.end();
  await receiver.close();
  await Promise.all([database.drop(), rm(folder, { recursive: true })]);
});

/** Deliveries of one endpoint, of the events with their numbers. The second attempt of 2 was its last. */
const OLD_ROWS = `
  INSERT INTO plan VALUES ('p', 'P', true, 1, 1);
  INSERT INTO plan_feed (plan_code, feed_code, all_regions, regions) VALUES ('p', 'us_brokers', true, '{}');
  INSERT INTO account (id, name, email, plan_code, licence_ref, created_at) VALUES (1, 'A', 'a@b.cd', 'p', 'L', now());
  INSERT INTO event (id, type, country, usdot, state, detected_at, source_dataset, data, identity)
    SELECT id, 'reinstated', 'US', 7, 'TX', '2026-11-20', 'authority_history', '{}', id FROM generate_series(1, 9) AS id;
  SELECT setval('event_id_seq', 100);
  UPDATE webhook_fan_out SET last_event_id = 100;
  INSERT INTO webhook_endpoint (id, account_id, url, event_types, secret_sealed, secret_prefix, created_at, after_event_id)
    VALUES (1, 1, '', '{reinstated}', '', '', now(), 0);
  INSERT INTO webhook_delivery (id, endpoint_id, account_id, event_id, test_number, is_test, event_type, status, due_at, lease_until,
    attempt, failures, cancel_reason, created_at, finished_at)
  SELECT id, 1, 1, CASE WHEN id < 10 THEN id END, CASE WHEN id = 10 THEN 10 END, id = 10, 'reinstated', status, due_at, lease_until,
    attempt, failures, reason, '2026-11-20T12:00Z', finished_at
  FROM (VALUES
    (1, 'delivered', timestamptz '2026-11-20', NULL::timestamptz, 1, 0, NULL, timestamptz '2026-11-20T12:00:01Z'),
    (2, 'failed', '2026-11-20', NULL, 2, 2, NULL, '2026-11-20T12:02Z'),
    (3, 'cancelled', '2026-11-20', NULL, 0, 0, 'paused', '2026-11-20T12:03Z'),
    (4, 'cancelled', '2026-11-20', NULL, 1, 1, 'plan_changed', '2026-11-20T12:04Z'),
    (5, 'queued', '2026-11-20', NULL, 0, 0, NULL, NULL),
    (6, 'queued', '2026-11-21T15:00Z', NULL, 2, 2, NULL, NULL),
    (7, 'queued', '2026-11-20', NULL, 1, 0, NULL, NULL),
    (8, 'sending', '2026-11-20', '2026-11-20', 1, 0, NULL, NULL),
    (9, 'sending', '2026-11-20', now() + interval '1 hour', 1, 0, NULL, NULL),
    (10, 'queued', '2026-11-20', NULL, 0, 0, NULL, NULL))
    AS old (id, status, due_at, lease_until, attempt, failures, reason, finished_at);
  SELECT setval('webhook_delivery_id_seq', 10);
  INSERT INTO webhook_attempt (delivery_id, attempt, started_at, duration_ms, http_status, reason, signature)
  VALUES (1, 1, '2026-11-20T12:00Z', 1000, 200, NULL, 't=1795176000,v1=${"ab".repeat(32)}'),
    (2, 1, '2026-11-20T12:00Z', 1, 500, 'answer_not_2xx', ''), (2, 2, '2026-11-20T12:01Z', 1, 500, 'answer_not_2xx', ''),
    (4, 1, '2026-11-20T12:00Z', 1, 500, 'answer_not_2xx', ''),
    (6, 1, '2026-11-20T12:00Z', 1, 500, 'answer_not_2xx', ''), (6, 2, '2026-11-20T12:01Z', 1, 500, 'answer_not_2xx', ''),
    (7, 1, '2026-11-20T12:00Z', 1, 200, NULL, '');`;

/** Ends the attempt of delivery 9, as the dispatcher of the older version does that has it in flight. */
const recordInFlight = () =>
  old.query(
    `UPDATE webhook_delivery SET status = 'delivered', lease_until = NULL, finished_at = '2026-11-20T12:09Z' WHERE id = 9;
     INSERT INTO webhook_attempt (delivery_id, attempt, started_at, duration_ms, http_status, signature)
     VALUES (9, 1, '2026-11-20T12:08Z', 1, 200, '')`,
  );

/** Whether the upgrade keeps older dispatchers from claiming. */
async function isWaiting(): Promise<boolean> {
  const { rows } = await old.query<{ waits: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 72707372
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS waits`,
  );
  return rows[0]?.waits === true;
}

it("waits for what older dispatchers have in flight; then what waited is sent once, and nothing else", async () => {
  const upgraded = upgrade();
  await until(isWaiting);
  await recordInFlight();
  await upgraded;

  const clock = settableClock("2026-11-21T12:00:00Z");
  const opened = await openTestContext(database.url, clock);
  const context: Context = { ...opened, config: configFrom({ DATABASE_URL: database.url, ...LOOPBACK_ENV }) };
  const before = (await deliveriesOf(context, 1)).map(({ id, status, cancel_reason }) => [
    id,
    status,
    cancel_reason,
  ]);
  expect(before).toEqual([
    [1, "delivered", null],
    [2, "failed", null],
    [3, "cancelled", "paused"],
    [4, "cancelled", "plan_changed"],
    ...[5, 6, 7, 8].map((id) => [id, "queued", null]),
    [9, "delivered", null],
    [10, "queued", null],
  ]);
  expect(await attemptsOf(context, 1)).toMatchObject([
    { attempt: 1, http_status: 200, signature: `t=1795176000,v1=${"ab".repeat(32)}` },
  ]);

  const dispatcher = startTestDispatcher(context);
  await receiver.arrival(4);
  clock.set("2026-11-21T15:00:00Z");
  await receiver.arrival(5);
  await until(async () => (await deliveriesOf(context, 1)).every(({ status }) => status !== "queued"));
  await dispatcher.stop();
  const sent = receiver.received.map(({ headers }) => [
    Number(headers["service-delivery-id"]),
    Number(headers["service-delivery-attempt"]),
  ]);
  expect(sent.sort(([one = 0], [other = 0]) => one - other)).toEqual([
    [5, 1],
    [6, 3],
    [7, 2],
    [8, 2],
    [10, 1],
  ]);
  await context.db.close();
});

it("refuses what a process of the older version asks for", async () => {
  await recordInFlight();
  await upgrade();
  const asked = [
    "UPDATE webhook_delivery SET status = 'sending' WHERE status = 'queued'",
    "INSERT INTO webhook_attempt (delivery_id, attempt) VALUES (1, 1)",
    "INSERT INTO webhook_delivery (endpoint_id, account_id, event_id, event_type, status) VALUES (1, 1, 1, 'reinstated', 'queued')",
  ];
  for (const statement of asked) await expect(old.query(statement)).rejects.toThrow(/does not exist/);
});
