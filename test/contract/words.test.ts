// The database refuses words that the program does not have: each list is in the program once, and in a constraint.

import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { EVENT_TYPES } from "../../src/events/event-types.ts";
import { RUN_STATUSES } from "../../src/importer/runs.ts";
import { CANCEL_REASONS } from "../../src/webhooks/deliveries/cancel-queued.ts";
import { OUTCOMES } from "../../src/webhooks/dispatch/record.ts";
import { FAILURE_REASONS } from "../../src/webhooks/egress/reasons.ts";
import { PAYLOADS } from "../../src/webhooks/endpoints/filters.ts";
import { PAUSE_REASONS } from "../../src/webhooks/endpoints/pause.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(WORLD);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** An account with an endpoint, an event, its delivery with a result, and the dispatcher that has it; all of them have the number 1. */
const WORLD = `
  INSERT INTO plan (code, name, api_access, requests_per_minute, rows_per_month) VALUES ('p', 'P', true, 1, 1);
  INSERT INTO account (id, name, email, plan_code, licence_ref, created_at) VALUES (1, 'A', 'a@b.cd', 'p', 'L', now());
  INSERT INTO event (id, type, country, usdot, detected_at, source_dataset, data, identity)
    VALUES (1, 'reinstated', 'US', 7, now(), 'authority_history', '{}', 'one');
  INSERT INTO webhook_endpoint (id, account_id, url, event_types, secret_sealed, secret_prefix, created_at, after_event_id)
    VALUES (1, 1, 'https://example.com', '{reinstated}', '', '', now(), 0);
  INSERT INTO webhook_delivery (id, endpoint_id, account_id, event_id, event_type, created_at)
    VALUES (1, 1, 1, 1, 'reinstated', now());
  INSERT INTO webhook_result (delivery_id, number, endpoint_id, outcome, ended_at) VALUES (1, 1, 1, 'cancelled', now());
  INSERT INTO webhook_cancellation (endpoint_id, to_delivery_id, reason, cancelled_at) VALUES (1, 1, 'paused', now());
  INSERT INTO webhook_dispatcher (id, seen_at) VALUES (1, now());
  INSERT INTO webhook_lease (account_id, dispatcher_id) VALUES (1, 1);
  INSERT INTO usage_month (account_id, month) VALUES (1, '2026-11-01');
  INSERT INTO usage_day (account_id, day, key_id) VALUES (1, '2026-11-22', 'k');
  INSERT INTO export_charge (account_id, month, content) VALUES (1, '2026-11-01', 'c');
  INSERT INTO import_run (id, status, folder, started_at) VALUES (1, 'running', '/', now());`;

const violation = (code: string, constraint: string) => ({ code, constraint });
const [CHECK_VIOLATION, FOREIGN_KEY_VIOLATION] = ["23514", "23503"] as const;

describe.each<[constraint: string, words: readonly string[], update: string]>([
  ["event_type", EVENT_TYPES, "UPDATE event SET type = $1"],
  ["import_run_status", RUN_STATUSES, "UPDATE import_run SET status = $1"],
  ["webhook_endpoint_event_types", EVENT_TYPES, "UPDATE webhook_endpoint SET event_types = ARRAY[$1]"],
  ["webhook_endpoint_disabled_reason", PAUSE_REASONS, "UPDATE webhook_endpoint SET disabled_reason = $1"],
  ["webhook_endpoint_payload", PAYLOADS, "UPDATE webhook_endpoint SET payload = $1"],
  ["webhook_delivery_event_type", EVENT_TYPES, "UPDATE webhook_delivery SET event_type = $1"],
  ["webhook_result_outcome", OUTCOMES, "UPDATE webhook_result SET outcome = $1"],
  ["webhook_result_cancel_reason", CANCEL_REASONS, "UPDATE webhook_result SET cancel_reason = $1"],
  ["webhook_result_reason", FAILURE_REASONS, "UPDATE webhook_result SET reason = $1"],
  ["webhook_cancellation_reason", CANCEL_REASONS, "UPDATE webhook_cancellation SET reason = $1"],
])("%s", (constraint, words, update) => {
  it("has the program's words", async () => {
    const { rows } = await client.query<{ definition: string }>(
      "SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = $1",
      [constraint],
    );
    const allowed = [...(rows[0]?.definition ?? "").matchAll(/'([^']*)'/g)].map(([, word]) => word);
    expect(allowed.sort()).toEqual([...words].sort());
  });

  it("refuses another word", async () => {
    await expect(client.query(update, ["other"])).rejects.toMatchObject(
      violation(CHECK_VIOLATION, constraint),
    );
  });
});

it("the contract names the same event types and reasons of a pause", async () => {
  const contract = parse(await readFile(path.join(import.meta.dirname, "../../openapi.yaml"), "utf8"));
  const { EventType, WebhookOut } = contract.components.schemas;
  expect(EventType.enum).toEqual(EVENT_TYPES);
  const { description } = WebhookOut.properties.disabled_reason;
  for (const reason of PAUSE_REASONS) expect(description).toContain(reason);
});

it.each([
  ["webhook_lease_dispatcher_id_fkey", "UPDATE webhook_lease SET dispatcher_id = 2"],
  ["usage_month_account_id_fkey", "UPDATE usage_month SET account_id = 2"],
  ["usage_day_account_id_fkey", "UPDATE usage_day SET account_id = 2"],
  ["export_charge_account_id_fkey", "UPDATE export_charge SET account_id = 2"],
])("%s refuses: %s", async (constraint, statement) => {
  await expect(client.query(statement)).rejects.toMatchObject(violation(FOREIGN_KEY_VIOLATION, constraint));
});

it("an account with usage cannot be deleted", async () => {
  await expect(client.query("DELETE FROM account")).rejects.toMatchObject({
    constraint: expect.stringMatching(/usage_|export_charge|webhook_endpoint/),
  });
});

it.each([
  ["a delivery of neither an event nor a test", "UPDATE webhook_delivery SET event_id = NULL"],
  ["a test of an event", "UPDATE webhook_delivery SET is_test = true, test_number = 2"],
])("refuses %s", async (_what, statement) => {
  await expect(client.query(statement)).rejects.toMatchObject(
    violation(CHECK_VIOLATION, "webhook_delivery_of_event_or_test"),
  );
});

it("the accounts of a dispatcher are free when its life ends", async () => {
  await client.query("BEGIN; DELETE FROM webhook_dispatcher");
  const { rowCount } = await client.query("SELECT FROM webhook_lease");
  await client.query("ROLLBACK");
  expect(rowCount).toBe(0);
});
