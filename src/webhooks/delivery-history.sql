-- Deliveries of an endpoint with their attempts, the newest delivery first, attempts in order.
-- $1: the endpoint. $2: only these statuses, unless null. $3: the most deliveries.
SELECT delivery.id, delivery.event_id, delivery.event_type, delivery.is_test, delivery.status, delivery.cancel_reason,
  delivery.created_at, delivery.due_at, delivery.finished_at, tried.attempts
FROM (
  SELECT * FROM webhook_delivery
  WHERE endpoint_id = $1::bigint AND ($2::text[] IS NULL OR status = ANY ($2))
  ORDER BY id DESC LIMIT $3) AS delivery
CROSS JOIN LATERAL (
  SELECT coalesce(
    json_agg(
      json_build_object('attempt', attempt.attempt, 'started_at', attempt.started_at,
        'duration_ms', attempt.duration_ms, 'http_status', attempt.http_status, 'reason', attempt.reason)
      ORDER BY attempt.attempt),
    '[]') AS attempts
  FROM webhook_attempt AS attempt WHERE attempt.delivery_id = delivery.id) AS tried
ORDER BY delivery.id DESC
