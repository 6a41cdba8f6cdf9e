import { createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { EventType } from "../../../src/events/event-types.ts";
import type { Context } from "../../../src/platform/context.ts";
import { type Dispatcher, startDispatcher } from "../../../src/webhooks/dispatch/dispatcher.ts";
import { createSender } from "../../../src/webhooks/egress/sender.ts";
import { type Received, TEST_CA } from "./receiver.ts";

/** Settings that allow deliveries to receivers on this machine. */
export const LOOPBACK_ENV = { WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8" };

/** A sender that reaches the test receivers. */
const testSender = (timeoutMs = 15_000) =>
  createSender({ allowedCidrs: ["127.0.0.0/8"], ca: TEST_CA, timeoutMs });

/** A dispatcher in this process that looks for work often. */
export const startTestDispatcher = (
  context: Context,
  options: { timeoutMs?: number; graceMs?: number } = {},
): Dispatcher =>
  startDispatcher(context, {
    pollMs: 25,
    sender: testSender(options.timeoutMs),
    ...(options.graceMs === undefined ? {} : { graceMs: options.graceMs }),
  });

/** Waits until a condition holds, without a time limit. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(15);
}

/** The number of deliveries in each status. */
export async function deliveryCounts({ db }: Context): Promise<Record<string, number>> {
  const { rows } = await db.pool.query<{ status: string; count: number }>(
    "SELECT status, count(*) AS count FROM webhook_delivery_state GROUP BY status",
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** Waits until nothing is in flight and nothing due by the context's clock. */
export async function untilIdle({ db, clock }: Context): Promise<void> {
  await until(async () => {
    const { rows } = await db.pool.query<{ busy: boolean }>(
      `SELECT EXISTS (SELECT FROM webhook_delivery_state WHERE status = 'queued' AND due_at <= $1)
         OR EXISTS (SELECT FROM event WHERE id > (SELECT last_event_id FROM webhook_fan_out))
         OR EXISTS (SELECT FROM event_correction WHERE id > (SELECT last_correction_id FROM webhook_fan_out))
         OR EXISTS (SELECT FROM carrier_change WHERE id > (SELECT last_change_id FROM webhook_fan_out)) AS busy`,
      [clock.now()],
    );
    return rows[0]?.busy === false;
  });
}

/** Whether a delivery is signed with a secret, as the documentation tells receivers to check it; its age aside. */
export function isSignedWith(secret: string, { headers, body }: Received): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["service-signature"])) ?? [];
  return v1 === createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex");
}

/** Lets dispatchers look as if they had not been seen for so long. Those that live are seen again within a second. */
export async function ageDispatchers({ db }: Context, seconds: number): Promise<void> {
  await db.pool.query(
    "UPDATE webhook_dispatcher SET seen_at = clock_timestamp() - $1 * interval '1 second'",
    [seconds],
  );
}

/** Pauses all endpoints and deletes all deliveries, so that a test has the dispatcher to itself. */
export async function quieten({ db }: Context): Promise<void> {
  await db.pool.query("UPDATE webhook_endpoint SET active = false");
  await db.pool.query(
    "DELETE FROM webhook_delivery; DELETE FROM webhook_result; DELETE FROM webhook_retry; DELETE FROM webhook_cancellation",
  );
}

/** Writes `count` events of one business in one statement, as one import would. */
export async function putManyEvents(
  { db }: Context,
  count: number,
  {
    type = "new_authority_granted",
    usdot = 4_300_000,
    detectedAt = "2026-11-20T11:20:05Z",
  }: { type?: EventType; usdot?: number; detectedAt?: string } = {},
): Promise<void> {
  await db.bulkPool.query(
    `INSERT INTO event (type, country, usdot, state, detected_at, source_dataset, data, identity)
     SELECT $3, 'US', $2, 'TX', $4, 'authority_history', '{"legal_name": "ACME FREIGHT LLC", "reason": "Granted"}',
       gen_random_uuid()
     FROM generate_series(1, $1::int)`,
    [count, usdot, type, detectedAt],
  );
}
