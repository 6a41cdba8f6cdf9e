-- Deliveries of an endpoint with their attempts, the newest delivery first, attempts in order. A null parameter does
-- not filter. The type may be "test"; `to` is exclusive; `before` is a delivery's id.
-- params: endpointId, most, status?, eventType?, from?, to?, before?
-- never null: event_id, status
-- typed: event_type EventType from ../../events/event-types.ts
-- typed: status DeliveryStatus from ./delivery-history.ts
-- typed: cancel_reason CancelReason from ./cancel-queued.ts
-- typed: attempts AttemptShown[] from ./delivery-history.ts
SELECT delivery.id, coalesce(delivery.event_id, delivery.test_number) AS event_id, delivery.event_type, delivery.is_test,
  delivery.status, delivery.cancel_reason,
  delivery.created_at, delivery.due_at, delivery.finished_at, tried.attempts
FROM (
  SELECT * FROM webhook_delivery_state
  WHERE endpoint_id = $1::bigint
    AND ($3::text IS NULL OR status = $3)
    AND ($4::text IS NULL OR CASE $4 WHEN 'test' THEN is_test ELSE NOT is_test AND event_type = $4 END)
    AND ($5::timestamptz IS NULL OR created_at >= $5)
    AND ($6::timestamptz IS NULL OR created_at < $6)
    AND ($7::bigint IS NULL OR id < $7)
  ORDER BY id DESC LIMIT $2) AS delivery
CROSS JOIN LATERAL (
  SELECT coalesce(
    json_agg(
      json_build_object('attempt', result.attempt, 'started_at', result.started_at,
        'duration_ms', result.duration_ms, 'http_status', result.http_status, 'reason', result.reason)
      ORDER BY result.attempt),
    '[]') AS attempts
  FROM webhook_result AS result WHERE result.delivery_id = delivery.id AND result.attempt IS NOT NULL) AS tried
ORDER BY delivery.id DESC
