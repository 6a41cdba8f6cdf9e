import type { Context } from "../../../src/platform/context.ts";

export interface DeliveryRow {
  id: number;
  event_id: number;
  is_test: boolean;
  event_type: string;
  status: string;
  due_at: Date;
  cancel_reason: string | null;
  created_at: Date;
  finished_at: Date | null;
}

/** Every delivery of an endpoint, oldest first. */
export async function deliveriesOf({ db }: Context, endpointId: number): Promise<DeliveryRow[]> {
  const { rows } = await db.pool.query<DeliveryRow>(
    `SELECT id, coalesce(event_id, test_number) AS event_id, is_test, event_type, status, due_at, cancel_reason, created_at, finished_at
     FROM webhook_delivery_state WHERE endpoint_id = $1 ORDER BY id`,
    [endpointId],
  );
  return rows;
}

/** Puts a delivery into the table as the fan-out would, in a status of the test's choice; of event -1 unless another is given. */
export async function putDelivery(
  context: Context,
  {
    endpointId,
    eventId = -1,
    status = "queued",
    isTest = false,
  }: { endpointId: number; eventId?: number; status?: string; isTest?: boolean },
): Promise<number> {
  const now = context.clock.now();
  if (eventId === -1) await putPassedEvents(context, 1);
  const { rows } = await context.db.pool.query<{ id: number }>(
    `INSERT INTO webhook_delivery (endpoint_id, account_id, event_id, test_number, is_test, event_type, created_at)
     SELECT id, account_id, CASE WHEN NOT $4 THEN $2::bigint END, CASE WHEN $4 THEN $2::bigint END, $4, event_types[1], $3 FROM webhook_endpoint WHERE id = $1
     RETURNING id`,
    [endpointId, eventId, now, isTest],
  );
  const id = rows[0]?.id ?? 0;
  if (status !== "queued") await putResult(context, id, { outcome: status });
  else if (isTest) await putRetry(context, id);
  return id;
}

/** Ends a delivery as a dispatcher would, by an attempt unless it is cancelled. */
export async function putResult(
  { db, clock }: Context,
  deliveryId: number,
  {
    outcome,
    cancelReason = outcome === "cancelled" ? "paused" : null,
    endedAt = clock.now(),
    reason = outcome === "delivered" ? null : "timed_out",
    durationMs = 1,
    httpStatus = null,
  }: {
    outcome: string;
    cancelReason?: string | null;
    endedAt?: Date;
    reason?: string | null;
    durationMs?: number;
    httpStatus?: number | null;
  },
): Promise<void> {
  await db.pool.query("DELETE FROM webhook_retry WHERE delivery_id = $1", [deliveryId]);
  await db.pool.query(
    `INSERT INTO webhook_result (delivery_id, number, endpoint_id, attempt, started_at, duration_ms, reason, signature, outcome,
       cancel_reason, ended_at, http_status)
     SELECT id, coalesce(max_number, 0) + 1, endpoint_id, made, CASE WHEN made > 0 THEN $4::timestamptz END,
       CASE WHEN made > 0 THEN $6::int END, CASE WHEN made > 0 THEN $5 END, CASE WHEN made > 0 THEN sha256('') END, $2, $3, $4, $7
     FROM webhook_delivery,
       LATERAL (SELECT max(number) AS max_number, CASE WHEN $2 <> 'cancelled' THEN coalesce(max(attempt), 0) + 1 END AS made
         FROM webhook_result WHERE delivery_id = id) AS earlier
     WHERE id = $1`,
    [deliveryId, outcome, cancelReason, endedAt, reason, durationMs, httpStatus],
  );
}

/** Lets a delivery wait for another attempt. */
export async function putRetry(
  { db, clock }: Context,
  deliveryId: number,
  {
    dueAt = clock.now(),
    failures = 0,
    attempt = failures + 1,
  }: { dueAt?: Date; failures?: number; attempt?: number } = {},
): Promise<void> {
  await db.pool.query(
    `INSERT INTO webhook_retry (delivery_id, endpoint_id, account_id, is_test, due_at, attempt, failures)
     SELECT id, endpoint_id, account_id, is_test, $2, $3, $4 FROM webhook_delivery WHERE id = $1
     ON CONFLICT (delivery_id) DO UPDATE SET due_at = $2, attempt = $3, failures = $4`,
    [deliveryId, dueAt, attempt, failures],
  );
}

/** Lets every delivery, or every `step`-th, wait for a second attempt that is due since it was created. */
export async function retryEach({ db }: Context, step = 1): Promise<void> {
  await db.bulkPool.query(
    `INSERT INTO webhook_retry (delivery_id, endpoint_id, account_id, due_at, attempt, failures)
     SELECT id, endpoint_id, account_id, created_at, 2, 1 FROM webhook_delivery WHERE id % $1 = 0`,
    [step],
  );
}

/** Creates the events -1 to -`count`, which fan-out has passed: a test inserts deliveries of them itself. */
async function putPassedEvents({ db }: Context, count: number): Promise<void> {
  await db.bulkPool.query(
    `INSERT INTO event (id, type, country, usdot, state, detected_at, source_dataset, data, identity)
     SELECT -number, 'new_authority_granted', 'US', 4300000, 'TX', timestamptz '2026-11-01', 'authority_history', '{}',
       'passed ' || number
     FROM generate_series(1, $1::int) AS number
     ON CONFLICT DO NOTHING`,
    [count],
  );
}

/** Queues deliveries of `count` such events. */
export async function putManyDeliveries(context: Context, endpointId: number, count: number): Promise<void> {
  await putPassedEvents(context, count);
  await context.db.bulkPool.query(
    `INSERT INTO webhook_delivery (endpoint_id, account_id, event_id, event_type, created_at)
     SELECT id, account_id, -number, 'new_authority_granted', $3
     FROM webhook_endpoint, generate_series(1, $2) AS number WHERE id = $1`,
    [endpointId, count, context.clock.now()],
  );
}

export interface AttemptRow {
  attempt: number;
  started_at: Date;
  duration_ms: number;
  http_status: number | null;
  reason: string | null;
  signature: string;
}

/** Every recorded attempt of a delivery, in order. */
export async function attemptsOf({ db }: Context, deliveryId: number): Promise<AttemptRow[]> {
  const { rows } = await db.pool.query<AttemptRow>(
    `SELECT attempt, started_at, duration_ms, http_status, reason,
       't=' || floor(extract(epoch FROM started_at)) || ',v1=' || encode(signature, 'hex') AS signature
     FROM webhook_result WHERE delivery_id = $1 AND attempt IS NOT NULL ORDER BY attempt`,
    [deliveryId],
  );
  return rows;
}
