import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Context } from "../../../../src/platform/context.ts";
import type { ReplayCount } from "../../../../src/webhooks/replay/replay.ts";
import type { AskedReplay } from "../../../../src/webhooks/replay/replay-range.ts";
import { openAccount } from "../../../support/accounts.ts";
import { type SettableClock, settableClock } from "../../../support/clock.ts";
import { openTestContext } from "../../../support/context.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { type GivenEvent, putEvents } from "../../../support/events/events.ts";
import { emptyTables } from "../../../support/rows.ts";
import { attemptsOf, putResult } from "../../../support/webhooks/deliveries.ts";
import { registerEndpoint } from "../../../support/webhooks/endpoints.ts";

export const MINUTE_MS = 60_000;
export const FROM = new Date("2026-11-20T00:00:00Z");
export const TO = new Date("2026-11-21T00:00:00Z");

export let database: TestDatabase;
export let clock: SettableClock;
export let context: Context;
export let accountId: number;
export let endpointId: number;
export let range: AskedReplay;

interface Delivery {
  id: number;
  event_id: number;
  status: string;
  failures: number;
  due_at: Date;
  cancel_reason: string | null;
  finished_at: Date | null;
}

export async function deliveries(): Promise<Delivery[]> {
  const { rows } = await context.db.pool.query<Delivery>(
    `SELECT id, event_id, status, failures, due_at, cancel_reason, finished_at
     FROM webhook_delivery_state WHERE endpoint_id = $1 AND NOT is_test ORDER BY event_id`,
    [endpointId],
  );
  return rows;
}

export const idOf = async (eventId: number) =>
  (await deliveries()).find(({ event_id }) => event_id === eventId)?.id ?? 0;

/** Attempts of each delivery of the endpoint, in the order of events. */
export async function attempts(): Promise<number[]> {
  const all = await deliveries();
  return Promise.all(all.map(async ({ id }) => (await attemptsOf(context, id)).length));
}

/** Ends all queued deliveries, so that those queued afterwards are new. */
export async function deliverAll(outcomeOf = (_eventId: number) => "delivered"): Promise<void> {
  for (const { id, event_id, status } of await deliveries()) {
    if (status === "queued") await putResult(context, id, { outcome: outcomeOf(event_id) });
  }
}

export const someEvents = (count: number, given: GivenEvent = {}) =>
  putEvents(context.db, Array<GivenEvent>(count).fill(given));

export const counted = (kinds: Partial<ReplayCount["counts"]>): ReplayCount => ({
  deliveries: Object.values(kinds).reduce((sum, count) => sum + count, 0),
  counts: { missed: 0, cancelled: 0, failed: 0, retrying: 0, delivered: 0, ...kinds },
  started_at: clock.now().toISOString(),
});

/** Lets the other functions read the deliveries of this endpoint. */
export function readFrom(id: number): void {
  endpointId = id;
}

/** A database of one test file, with another account and endpoint for each test. */
export function useEndpoint(): void {
  beforeAll(async () => {
    database = await createTestDatabase();
    clock = settableClock("2026-11-21T12:00:00Z");
    context = await openTestContext(database.url, clock);
  });
  afterAll(async () => {
    await context.db.close();
    await database.drop();
  });
  beforeEach(async () => {
    await emptyTables(
      context.db.pool,
      "event",
      "webhook_delivery",
      "webhook_result",
      "webhook_retry",
      "webhook_cancellation",
      "webhook_endpoint",
    );
    clock.set("2026-11-21T12:00:00Z");
    const feeds = { us_new_authority_weekly: ["TX", "OK"], us_revocation_pending: null };
    ({ accountId } = await openAccount(context, { feeds }));
    ({ id: endpointId } = await registerEndpoint(context, accountId));
    range = { endpointId, from: FROM, to: TO };
  });
}
