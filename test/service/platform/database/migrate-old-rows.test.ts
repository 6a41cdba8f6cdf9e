// Rows of an old database that a later migration has to convert.
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrate } from "../../../../src/platform/database/migrate.ts";
import { createLog } from "../../../../src/platform/log.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { putRows } from "../../../support/rows.ts";

const MIGRATIONS = path.join(import.meta.dirname, "../../../../prisma/migrations");
const WORDS = "20261125140000_words_and_references";
const RECEIVERS = /_receivers_as_specified$/;
const AND_BETWEEN_LETTERS = /_and_between_letters$/;

let database: TestDatabase;
let folder: string;
let client: pg.Client;

beforeEach(async () => {
  [database, folder] = await Promise.all([
    createTestDatabase({ isEmpty: true }),
    mkdtemp(path.join(tmpdir(), "tdf-old-")),
  ]);
  await migrateBefore((name) => name >= WORDS);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(OLD_ROWS);
});
afterEach(async () => {
  await client.end();
  await Promise.all([database.drop(), rm(folder, { recursive: true })]);
});

const migrateFrom = (from: string) => migrate(database.url, { folder: from, log: createLog("silent") });

/** Applies the migrations before the first for which `isLater` holds. */
async function migrateBefore(isLater: (name: string) => boolean): Promise<void> {
  const names = (await readdir(MIGRATIONS)).sort();
  for (const name of names.slice(0, names.findIndex(isLater)))
    await cp(path.join(MIGRATIONS, name), path.join(folder, name), { recursive: true });
  await migrateFrom(folder);
}

/**
 * Deliveries: 1 of an event, 2 a test, 3 of a deleted event, 4 of a deleted endpoint; each with an attempt.
 * Versions: 1 and 2 were replaced, 3 is served, 4 was rolled back, 5 was the demo's, 6 is served.
 */
const OLD_ROWS = `
  INSERT INTO plan VALUES ('p', 'P', true, 1, 1);
  INSERT INTO account (id, name, email, plan_code, licence_ref, created_at) VALUES (1, 'A', 'a@b.cd', 'p', 'L', now());
  INSERT INTO event (id, type, country, usdot, detected_at, source_dataset, data, identity)
    VALUES (1, 'reinstated', 'US', 7, now(), 'authority_history', '{}', 'one');
  INSERT INTO webhook_endpoint (id, account_id, url, event_types, secret_sealed, secret_prefix, created_at, after_event_id)
    VALUES (1, 1, 'https://example.com', '{reinstated}', '', '', now(), 0);
  INSERT INTO webhook_delivery (id, endpoint_id, account_id, event_id, is_test, event_type, status, due_at, created_at)
    SELECT id, endpoint_id, 1, event_id, is_test, 'reinstated', 'queued', now(), now()
    FROM (VALUES (1, 1, 1, false), (2, 1, 2, true), (3, 1, 3, false), (4, 9, 1, false))
      AS old (id, endpoint_id, event_id, is_test);
  INSERT INTO webhook_attempt (delivery_id, attempt, started_at, duration_ms, signature)
    SELECT id, 1, now(), 1, '' FROM generate_series(1, 5) AS id;
  INSERT INTO feed_version (id, feed_code, as_of, row_count, fingerprint, published_at, replaced_at)
    SELECT id, feed, as_of::date, rows, '', now(), now() + replaced::interval
    FROM (VALUES (1, 'us_brokers', '2026-11-19', 5, '1 hour'), (2, 'us_brokers', '2026-11-20', 6, '1 hour'),
      (3, 'us_brokers', '2026-11-20', 7, NULL), (4, 'us_brokers', '2026-11-21', 8, '1 hour'),
      (5, 'us_small_carriers_active', '2026-11-18', 9, '-1 year'), (6, 'us_small_carriers_active', '2026-11-20', 4, NULL))
      AS old (id, feed, as_of, rows, replaced);
  INSERT INTO feed_current VALUES ('us_brokers', 3), ('us_small_carriers_active', 6);
  INSERT INTO usage_month (account_id, month) VALUES (1, '2026-11-01');`;

it("deliveries of deleted events and endpoints are deleted with their attempts, and a test keeps its number", async () => {
  await migrateFrom(MIGRATIONS);
  const { rows: deliveries } = await client.query(
    "SELECT id::int, event_id::int, test_number::int FROM webhook_delivery ORDER BY id",
  );
  expect(deliveries).toEqual([
    { id: 1, event_id: 1, test_number: null },
    { id: 2, event_id: null, test_number: 2 },
  ]);
  const { rows: attempts } = await client.query(
    "SELECT delivery_id::int AS id FROM webhook_result ORDER BY 1",
  );
  expect(attempts).toEqual([{ id: 1 }, { id: 2 }]);
  const { rows: unproved } = await client.query("SELECT conname FROM pg_constraint WHERE NOT convalidated");
  expect(unproved).toEqual([]);
});

it("usage of a deleted account is left to an operator, and everything else works meanwhile", async () => {
  await client.query("INSERT INTO usage_day (account_id, day, key_id) VALUES (8, '2026-11-22', 'k')");
  await expect(migrateFrom(MIGRATIONS)).rejects.toThrow(
    /have rows of accounts that are gone \(8\); keep a copy of them if they are needed, delete them/,
  );
  await client.query("DELETE FROM usage_day WHERE account_id = 8");
  expect((await migrateFrom(MIGRATIONS))[0]).toBe("20261125140001_words_and_references_hold");
});

it("sizes of feeds begin with the versions that readers get or got within the last day", async () => {
  await migrateFrom(MIGRATIONS);
  const { rows } = await client.query(
    "SELECT feed_code, as_of::text, row_count FROM feed_size ORDER BY 1, 2",
  );
  expect(rows).toEqual([
    { feed_code: "us_brokers", as_of: "2026-11-19", row_count: 5 },
    { feed_code: "us_brokers", as_of: "2026-11-20", row_count: 7 },
    { feed_code: "us_small_carriers_active", as_of: "2026-11-20", row_count: 4 },
  ]);
});

it("an endpoint that one answer 410 paused is active again, and gets the events from then on", async () => {
  await migrateBefore((name) => RECEIVERS.test(name));
  await client.query(
    `INSERT INTO webhook_endpoint (id, account_id, url, event_types, secret_sealed, secret_prefix, created_at, after_event_id,
       active, disabled_reason, paused_at, deleted_at)
     SELECT id, 1, 'https://example.com', '{reinstated}', '', '', now(), 0, false, reason, now(), deleted_at
     FROM (VALUES (11, 'receiver_gone', NULL::timestamptz), (12, 'too_many_failures', NULL), (13, 'receiver_gone', now()))
       AS old (id, reason, deleted_at)`,
  );
  await migrateFrom(MIGRATIONS);
  const { rows } = await client.query(
    `SELECT id, active, disabled_reason, paused_at IS NULL AS is_unpaused, after_event_id::int, honor_retry_after
     FROM webhook_endpoint WHERE id > 10 ORDER BY id`,
  );
  const kept = { active: false, is_unpaused: false, honor_retry_after: false };
  expect(rows).toEqual([
    { ...kept, id: 11, active: true, disabled_reason: null, is_unpaused: true, after_event_id: 1 },
    { ...kept, id: 12, disabled_reason: "too_many_failures", after_event_id: 0 },
    { ...kept, id: 13, disabled_reason: null, after_event_id: 1 },
  ]);
});

it("a name with AND between single letters gets the key of the same name with &", async () => {
  await migrateBefore((name) => AND_BETWEEN_LETTERS.test(name));
  const old = [
    ["A AND B TRUCKING", "A AND B TRUCKING"],
    ["KIM AND SONS", "KIM AND SONS"],
    ["A & B TRUCKING", "AB TRUCKING"],
  ] as const;
  const rows = old.map(([name, key], index) => ({ usdot: index + 1, is_dba: false, name, key }));
  await putRows(client, "business_name", ...rows);
  await migrateFrom(MIGRATIONS);
  const { rows: now } = await client.query("SELECT key FROM business_name ORDER BY usdot");
  expect(now.map(({ key }) => key)).toEqual(["AB TRUCKING", "KIM AND SONS", "AB TRUCKING"]);
});
