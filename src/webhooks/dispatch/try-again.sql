-- Queues the next attempts of deliveries that failed.
-- params: deliveryIds, endpointIds, accountIds, dueAt, attempts, failures
INSERT INTO webhook_retry (delivery_id, endpoint_id, account_id, due_at, attempt, failures)
SELECT * FROM unnest($1::bigint[], $2::int[], $3::int[], $4::timestamptz[], $5::int[], $6::int[])
ON CONFLICT (delivery_id) DO UPDATE
SET due_at = excluded.due_at, attempt = excluded.attempt, failures = excluded.failures
