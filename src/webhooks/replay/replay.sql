-- Queues the candidates, due now and with their whole retry schedule. Ids of delivery and event stay, and attempts
-- continue their numbering. It skips a row that a dispatcher holds: that delivery is being sent.
-- params: endpointId, carriedTypes, before, last, from, to, startedAt, includesDelivered, now
WITH candidate AS MATERIALIZED (
-- include: replay-candidates.sql
), requeued AS (
  SELECT delivery.id FROM webhook_delivery AS delivery
  WHERE delivery.id IN (SELECT delivery_id FROM candidate) AND delivery.status <> 'sending'
  ORDER BY delivery.id
  FOR NO KEY UPDATE SKIP LOCKED
), again AS (
  UPDATE webhook_delivery AS delivery
  SET status = 'queued', due_at = $9::timestamptz, failures = 0, cancel_reason = NULL, finished_at = NULL,
    lease_until = NULL
  FROM requeued WHERE delivery.id = requeued.id
  RETURNING 1
), fresh AS (
  INSERT INTO webhook_delivery (endpoint_id, account_id, event_id, event_type, status, due_at, created_at)
  SELECT $1::bigint, account_id, event_id, event_type, 'queued', $9, $9 FROM candidate WHERE delivery_id IS NULL
  ORDER BY event_id
  ON CONFLICT (endpoint_id, event_id) DO NOTHING
  RETURNING 1
)
SELECT (SELECT count(*) FROM again) + (SELECT count(*) FROM fresh) AS queued
