-- Cancels some queued deliveries of paused and deleted endpoints.
-- params: now, most
WITH RECURSIVE
-- Endpoints with queued deliveries, by a loose index scan.
waiting AS (
  (SELECT endpoint_id FROM webhook_delivery WHERE status = 'queued' AND NOT is_test ORDER BY endpoint_id LIMIT 1)
  UNION ALL
  SELECT (
    SELECT next.endpoint_id FROM webhook_delivery AS next
    WHERE next.status = 'queued' AND NOT next.is_test AND next.endpoint_id > waiting.endpoint_id
    ORDER BY next.endpoint_id LIMIT 1)
  FROM waiting WHERE waiting.endpoint_id IS NOT NULL
),
left_over AS (
  SELECT queued.id,
    CASE WHEN endpoint.deleted_at IS NOT NULL THEN 'deleted'
      WHEN endpoint.disabled_reason = 'plan_changed' THEN 'plan_changed'
      ELSE 'paused' END AS reason
  FROM waiting
  JOIN webhook_endpoint AS endpoint ON endpoint.id = waiting.endpoint_id AND NOT endpoint.active
  CROSS JOIN LATERAL (
    SELECT delivery.id FROM webhook_delivery AS delivery
    WHERE delivery.status = 'queued' AND NOT delivery.is_test AND delivery.endpoint_id = endpoint.id
    LIMIT $2
    FOR NO KEY UPDATE SKIP LOCKED) AS queued
  LIMIT $2
)
UPDATE webhook_delivery AS delivery SET status = 'cancelled', cancel_reason = left_over.reason, finished_at = $1
FROM left_over WHERE delivery.id = left_over.id
