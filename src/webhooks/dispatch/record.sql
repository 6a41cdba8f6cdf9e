-- Records finished attempts and the next state of their deliveries. It ignores an attempt when its delivery has a newer
-- attempt or has ended otherwise. An accepted delivery resets its endpoint's streak of failures. All lists have one
-- entry per attempt. Gives the recorded deliveries.
-- params: now, deliveryIds, attempts, nextStatuses, dueAt[?], startedAt, durationsMs, httpStatuses[?], reasons[?]
-- params: signatures
WITH ended AS (
  SELECT * FROM unnest($2::bigint[], $3::int[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::int[], $8::int[],
    $9::text[], $10::text[])
    AS attempt (delivery_id, number, next_status, due_at, started_at, duration_ms, http_status, reason, signature)
),
recorded AS (
  UPDATE webhook_delivery AS delivery SET
    -- An attempt that was in flight when its endpoint was paused is not retried.
    status = CASE WHEN stops THEN 'cancelled' ELSE ended.next_status END,
    cancel_reason = CASE WHEN stops THEN 'paused' END,
    due_at = coalesce(ended.due_at, delivery.due_at),
    failures = delivery.failures + CASE WHEN ended.next_status = 'delivered' THEN 0 ELSE 1 END,
    lease_until = NULL,
    finished_at = CASE WHEN stops OR ended.next_status <> 'queued' THEN $1::timestamptz END
  FROM ended, webhook_endpoint AS endpoint,
    LATERAL (SELECT ended.next_status = 'queued' AND NOT endpoint.active AS stops) AS fate
  WHERE delivery.id = ended.delivery_id AND delivery.attempt = ended.number AND delivery.status = 'sending'
    AND endpoint.id = delivery.endpoint_id
  RETURNING delivery.id, delivery.endpoint_id, delivery.status, delivery.is_test
),
remembered AS (
  INSERT INTO webhook_attempt (delivery_id, attempt, started_at, duration_ms, http_status, reason, signature)
  SELECT ended.delivery_id, ended.number, ended.started_at, ended.duration_ms, ended.http_status, ended.reason,
    ended.signature
  FROM ended JOIN recorded ON recorded.id = ended.delivery_id
  -- A claim that was lost after its requests had started leads to a second attempt with the same number.
  ON CONFLICT (delivery_id, attempt) DO NOTHING
),
-- Locked in one order, so that two dispatchers cannot deadlock.
forgiven AS (
  SELECT endpoint.id FROM webhook_endpoint AS endpoint
  WHERE endpoint.failure_streak > 0 AND endpoint.active AND endpoint.id IN (
    SELECT recorded.endpoint_id FROM recorded WHERE recorded.status = 'delivered' AND NOT recorded.is_test)
  ORDER BY endpoint.id
  FOR NO KEY UPDATE
),
reset AS (
  UPDATE webhook_endpoint AS endpoint SET failure_streak = 0 FROM forgiven WHERE endpoint.id = forgiven.id
)
SELECT id, status FROM recorded
