-- name: cancelRange :exec
-- Cancels the deliveries of an endpoint that wait for their first attempt, by one row. Ids that are taken and not yet
-- visible are cancelled too. A sequence of which no id was taken has the first id as its last value.
-- params: endpointId, now, reason, eventTypes?
INSERT INTO webhook_cancellation (endpoint_id, to_delivery_id, event_types, reason, cancelled_at)
SELECT $1, CASE WHEN is_called THEN last_value ELSE 0 END, $4::text[], $3, $2 FROM webhook_delivery_id_seq;

-- name: cancelRetries :exec
-- Cancels deliveries of an endpoint that wait for another attempt: ordinary ones, tests or both; of all event types unless
-- some are given; only corrections or all.
-- params: endpointId, now, reason, isTest, eventTypes?, most, onlyCorrections
WITH ended AS (
  DELETE FROM webhook_retry
  WHERE delivery_id = ANY (ARRAY(
    SELECT retry.delivery_id FROM webhook_retry AS retry
    LEFT JOIN webhook_delivery AS delivery ON delivery.id = retry.delivery_id
    WHERE retry.endpoint_id = $1 AND retry.is_test = ANY ($4::boolean[])
      AND ($5::text[] IS NULL OR delivery.event_type = ANY ($5::text[]))
      AND (delivery.correction_id IS NOT NULL OR NOT $7::boolean)
    LIMIT $6
    FOR UPDATE OF retry))
  RETURNING delivery_id, endpoint_id
)
INSERT INTO webhook_result (delivery_id, number, endpoint_id, outcome, cancel_reason, ended_at)
SELECT ended.delivery_id,
  coalesce((SELECT max(number) FROM webhook_result AS earlier WHERE earlier.delivery_id = ended.delivery_id), 0) + 1,
  ended.endpoint_id, 'cancelled', $3, $2
FROM ended;

-- name: changesAreAskedFor :exec
-- Gives a row when an endpoint asks for changes of carriers.
SELECT FROM webhook_endpoint WHERE active AND changes LIMIT 1;

-- name: findWaiting :one?
-- Whether events, corrections and changes of carriers wait to be fanned out.
-- plan: once
SELECT EXISTS (SELECT FROM event_position WHERE id > last_event_id) AS events,
  EXISTS (SELECT FROM event_correction WHERE id > last_correction_id) AS corrections,
  EXISTS (SELECT FROM carrier_change_position WHERE id > last_change_id) AS changes
FROM webhook_fan_out;

-- name: neededEvents :one
-- The highest event id that deliveries don't need any more: all events up to it are queued, and these deliveries are
-- finished. Null when nothing is needed.
SELECT least(
  (SELECT last_event_id FROM webhook_fan_out WHERE EXISTS (SELECT FROM webhook_endpoint WHERE active)),
  (SELECT min(correction.event_id) - 1 FROM event_correction AS correction
   WHERE correction.id > (SELECT last_correction_id FROM webhook_fan_out)
     AND EXISTS (SELECT FROM webhook_endpoint WHERE active AND corrections)),
  (SELECT min(delivery.event_id) - 1
   FROM webhook_retry AS retry JOIN webhook_delivery AS delivery ON delivery.id = retry.delivery_id),
  (SELECT min(waiting.event_id) - 1
   FROM webhook_endpoint AS endpoint
   CROSS JOIN LATERAL (
-- include: unfinished
   ) AS waiting)) AS up_to;

-- name: oldestDue :one
-- The time since which the oldest due delivery has waited; null when none is due. It also counts an event, correction
-- or change that is not fanned out yet: if no dispatcher works, no delivery shows that. Those of suspended accounts wait by intention.
-- params: now
SELECT min(since) AS since
FROM (
  (SELECT due_at AS since FROM webhook_retry
   WHERE due_at <= $1
     AND NOT EXISTS (SELECT FROM account WHERE account.id = account_id AND suspended_at IS NOT NULL)
   ORDER BY due_at LIMIT 1)
  UNION ALL
  (SELECT min(first.created_at)
   FROM webhook_endpoint AS endpoint
   CROSS JOIN LATERAL (
-- include: unfinished
     ORDER BY delivery.endpoint_id, delivery.id LIMIT 1) AS first
   WHERE first.created_at <= $1
     AND NOT EXISTS (SELECT FROM account WHERE account.id = endpoint.account_id AND suspended_at IS NOT NULL))
  UNION ALL
  (SELECT event.detected_at FROM event_position AS event
   WHERE event.id > (SELECT last_event_id FROM webhook_fan_out) AND EXISTS (
     SELECT FROM webhook_endpoint AS endpoint WHERE endpoint.active AND endpoint.after_event_id < event.id)
   ORDER BY event.id LIMIT 1)
  UNION ALL
  (SELECT corrected_at FROM event_correction
   WHERE id > (SELECT last_correction_id FROM webhook_fan_out)
     AND EXISTS (SELECT FROM webhook_endpoint WHERE active AND corrections)
   ORDER BY id LIMIT 1)
  UNION ALL
  (SELECT seen_at FROM carrier_change_position
   WHERE id > (SELECT last_change_id FROM webhook_fan_out)
     AND EXISTS (SELECT FROM webhook_endpoint WHERE active AND changes AND after_change_id < carrier_change_position.id)
   ORDER BY id LIMIT 1)
) AS waiting;

-- name: oldestUnfinished :one
-- The time since which deliveries wait or are being sent; null when none does. Deliveries with greater ids are younger, but
-- for the difference of the clocks of those who queued them.
SELECT min(first.created_at) - interval '1 minute' AS since
FROM (
  (SELECT delivery.created_at
   FROM webhook_retry AS retry JOIN webhook_delivery AS delivery ON delivery.id = retry.delivery_id
   ORDER BY retry.delivery_id LIMIT 1)
  UNION ALL
  (SELECT fresh.created_at
   FROM webhook_endpoint AS endpoint
   CROSS JOIN LATERAL (
-- include: unfinished
     ORDER BY delivery.endpoint_id, delivery.id LIMIT 1) AS fresh)
) AS first;

-- name: queueState :one
-- State of the delivery queue.
-- params: now, lostSince
SELECT fresh.deliveries + (SELECT count(*) FROM webhook_retry) AS queued,
  fresh.deliveries + (SELECT count(*) FROM webhook_retry WHERE due_at <= $1) AS due,
  (SELECT coalesce(sum(in_flight), 0) FROM webhook_dispatcher) AS sending,
  (SELECT count(*) FROM webhook_result WHERE outcome = 'failed' AND ended_at >= $2) AS failed,
  (SELECT count(*) FROM webhook_result WHERE outcome = 'cancelled' AND ended_at >= $2) AS cancelled
FROM (
  SELECT count(*) AS deliveries
  FROM webhook_endpoint AS endpoint
  CROSS JOIN LATERAL (
-- include: unfinished
  ) AS waiting) AS fresh;

-- part: unfinished
-- Deliveries, but for tests, that wait for their first attempt or are being sent, of the endpoint `endpoint`.
SELECT delivery.id, delivery.event_id, delivery.created_at
FROM webhook_delivery AS delivery
WHERE (delivery.endpoint_id, delivery.id) > (endpoint.id, greatest(
    (SELECT done_to FROM webhook_progress WHERE endpoint_id = endpoint.id),
    (SELECT max(to_delivery_id) FROM webhook_cancellation WHERE endpoint_id = endpoint.id AND event_types IS NULL), 0))
  AND delivery.endpoint_id <= endpoint.id AND NOT delivery.is_test
  AND NOT EXISTS (SELECT FROM webhook_result WHERE delivery_id = delivery.id)
  AND NOT EXISTS (SELECT FROM webhook_retry WHERE delivery_id = delivery.id)
