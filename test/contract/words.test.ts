// The database refuses words that the program does not have: each list is in the program once, and in a constraint.

import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RUN_STATUSES } from "../../src/importer/runs.ts";
import { OUTCOMES } from "../../src/webhooks/dispatch/record.ts";
import { FAILURE_REASONS } from "../../src/webhooks/egress/reasons.ts";
import { PAYLOADS } from "../../src/webhooks/endpoints/filters.ts";
import { PAUSE_REASONS } from "../../src/webhooks/endpoints/pause-or-delete.ts";
import { CANCEL_REASONS } from "../../src/webhooks/queue/cancel-queued.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { changeRows, putRows, type Row, removeRows } from "../support/rows.ts";
import { documentedSchema } from "./prism/contract-document.ts";

const NOW = new Date();

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  for (const [table, row] of WORLD) await putRows(client, table, row);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** An account with an endpoint, an event, its delivery with a result, and the dispatcher that has it; all of them have the number 1. */
const WORLD: readonly [table: string, row: Row][] = [
  ["plan", { code: "p", name: "P", api_access: true, requests_per_minute: 1, rows_per_month: 1 }],
  ["account", { id: 1, plan_code: "p" }],
  ["event", { id: 1 }],
  ["webhook_endpoint", { id: 1, account_id: 1 }],
  [
    "webhook_delivery",
    { id: 1, endpoint_id: 1, account_id: 1, event_id: 1, event_type: "reinstated", created_at: NOW },
  ],
  ["webhook_result", { delivery_id: 1, number: 1, endpoint_id: 1, outcome: "cancelled", ended_at: NOW }],
  ["webhook_cancellation", { endpoint_id: 1, to_delivery_id: 1, reason: "paused", cancelled_at: NOW }],
  ["webhook_dispatcher", { id: 1, seen_at: NOW }],
  ["webhook_lease", { account_id: 1, dispatcher_id: 1 }],
  ["usage_month", { account_id: 1, month: "2026-11-01" }],
  ["usage_day", { account_id: 1, day: "2026-11-22", key_id: "k" }],
  ["export_charge", { account_id: 1, month: "2026-11-01", content: "c" }],
  ["import_run", { id: 1, status: "running", folder: "/", started_at: NOW }],
];

const violation = (code: string, constraint: string) => ({ code, constraint });
const [CHECK_VIOLATION, FOREIGN_KEY_VIOLATION] = ["23514", "23503"] as const;

describe.each<[constraint: string, words: readonly string[], table: string, column: string]>([
  ["import_run_status", RUN_STATUSES, "import_run", "status"],
  ["webhook_endpoint_disabled_reason", PAUSE_REASONS, "webhook_endpoint", "disabled_reason"],
  ["webhook_endpoint_payload", PAYLOADS, "webhook_endpoint", "payload"],
  ["webhook_result_outcome", OUTCOMES, "webhook_result", "outcome"],
  ["webhook_result_cancel_reason", CANCEL_REASONS, "webhook_result", "cancel_reason"],
  ["webhook_result_reason", FAILURE_REASONS, "webhook_result", "reason"],
  ["webhook_cancellation_reason", CANCEL_REASONS, "webhook_cancellation", "reason"],
])("%s", (constraint, words, table, column) => {
  it("has the program's words", async () => {
    const { rows } = await client.query<{ definition: string }>(
      "SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = $1",
      [constraint],
    );
    const allowed = [...(rows[0]?.definition ?? "").matchAll(/'([^']*)'/g)].map(([, word]) => word);
    expect(allowed.sort()).toEqual([...words].sort());
  });

  it("refuses another word", async () => {
    await expect(changeRows(client, table, { [column]: "other" })).rejects.toMatchObject(
      violation(CHECK_VIOLATION, constraint),
    );
  });
});

it("the contract names the reasons of a pause", () => {
  const { description } = documentedSchema("WebhookOut").properties?.disabled_reason ?? {};
  for (const reason of PAUSE_REASONS) expect(description).toContain(reason);
});

it.each([
  ["webhook_lease_dispatcher_id_fkey", "webhook_lease", "dispatcher_id"],
  ["usage_month_account_id_fkey", "usage_month", "account_id"],
  ["usage_day_account_id_fkey", "usage_day", "account_id"],
  ["export_charge_account_id_fkey", "export_charge", "account_id"],
])("%s refuses a %s with another %s", async (constraint, table, column) => {
  await expect(changeRows(client, table, { [column]: 2 })).rejects.toMatchObject(
    violation(FOREIGN_KEY_VIOLATION, constraint),
  );
});

it("an account with usage cannot be deleted", async () => {
  await expect(removeRows(client, "account")).rejects.toMatchObject({
    constraint: expect.stringMatching(/usage_|export_charge|webhook_endpoint/),
  });
});

it.each([
  ["a delivery of nothing", { event_id: null }],
  ["a delivery of an event and a change", { change_id: 2 }],
  ["a test of an event", { is_test: true, test_number: 2 }],
])("refuses %s", async (_what, change) => {
  await expect(changeRows(client, "webhook_delivery", change)).rejects.toMatchObject(
    violation(CHECK_VIOLATION, "webhook_delivery_of_one_thing"),
  );
});

it("the accounts of a dispatcher are free when its life ends", async () => {
  await client.query("BEGIN");
  await removeRows(client, "webhook_dispatcher");
  const { rowCount } = await client.query("SELECT FROM webhook_lease");
  await client.query("ROLLBACK");
  expect(rowCount).toBe(0);
});
