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
     FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY id`,
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
    `INSERT INTO webhook_delivery (endpoint_id, account_id, event_id, test_number, is_test, event_type, status, due_at, created_at)
     SELECT id, account_id, CASE WHEN NOT $5 THEN $2::bigint END, CASE WHEN $5 THEN $2::bigint END, $5, event_types[1], $3, $4, $4 FROM webhook_endpoint WHERE id = $1
     RETURNING id`,
    [endpointId, eventId, status, now, isTest],
  );
  return rows[0]?.id ?? 0;
}

/** Creates the events -1 to -`count`, which fan-out has passed: a test inserts deliveries of them itself. */
export async function putPassedEvents({ db }: Context, count: number): Promise<void> {
  await db.bulkPool.query(
    `INSERT INTO event (id, type, country, usdot, state, detected_at, source_dataset, data, identity)
     SELECT -number, 'new_authority_granted', 'US', 4300000, 'TX', timestamptz '2026-11-01', 'authority_history', '{}',
       'passed ' || number
     FROM generate_series(1, $1::int) AS number
     ON CONFLICT DO NOTHING`,
    [count],
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
    `SELECT attempt, started_at, duration_ms, http_status, reason, signature
     FROM webhook_attempt WHERE delivery_id = $1 ORDER BY attempt`,
    [deliveryId],
  );
  return rows;
}
