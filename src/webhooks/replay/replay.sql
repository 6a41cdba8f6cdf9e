-- Queues the candidates, due now and with their whole retry schedule. Ids of delivery and event stay, and attempts
-- continue their numbering.
-- params: endpointId, carriedTypes, before, last, from, to, startedAt, kinds, now
WITH candidate AS MATERIALIZED (
-- include: replay-candidates.sql
), again AS (
  INSERT INTO webhook_retry (delivery_id, endpoint_id, account_id, due_at, attempt)
  SELECT candidate.delivery_id, $1::bigint, candidate.account_id, $9::timestamptz,
    coalesce((SELECT max(attempt) FROM webhook_result WHERE delivery_id = candidate.delivery_id), 0) + 1
  FROM candidate WHERE candidate.delivery_id IS NOT NULL
  ORDER BY candidate.delivery_id
  ON CONFLICT (delivery_id) DO UPDATE SET due_at = excluded.due_at, failures = 0
  RETURNING 1
), fresh AS (
  INSERT INTO webhook_delivery (endpoint_id, account_id, event_id, event_type, created_at)
  SELECT $1::bigint, account_id, event_id, event_type, $9 FROM candidate WHERE delivery_id IS NULL
  ORDER BY event_id
  RETURNING 1
)
SELECT (SELECT count(*) FROM again) + (SELECT count(*) FROM fresh) AS queued
