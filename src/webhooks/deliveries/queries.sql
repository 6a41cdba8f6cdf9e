-- name: deliveryDays :many
-- The newest deliveries of an account's endpoint by the day (UTC) on which they were queued, since a time and without tests:
-- how many were delivered and failed, and how many milliseconds the receiver took for its answers to their attempts. No
-- more than `most` deliveries are read, by the index (endpoint_id, id).
-- params: endpointId, accountId, since, most
WITH newest AS MATERIALIZED (
  SELECT * FROM (
    SELECT id, is_test, created_at, status FROM webhook_delivery_state
    WHERE endpoint_id = $1::bigint AND account_id = $2 ORDER BY id DESC LIMIT $4) AS delivery
  WHERE created_at >= $3 AND NOT is_test
),
ended AS (
  SELECT (created_at AT TIME ZONE 'UTC')::date AS day, count(*) FILTER (WHERE status = 'delivered') AS delivered,
    count(*) FILTER (WHERE status = 'failed') AS failed
  FROM newest GROUP BY day
),
answered AS (
  SELECT (created_at AT TIME ZONE 'UTC')::date AS day,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ms) AS median,
    percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) AS most
  FROM newest JOIN webhook_result AS result ON result.delivery_id = newest.id
  WHERE http_status IS NOT NULL AND ended_at >= $3
  GROUP BY day
)
SELECT day, delivered, failed, median AS "medianMs", most AS "p95Ms"
FROM ended LEFT JOIN answered USING (day) ORDER BY day;

-- name: deliveryHistory :many
-- Deliveries of an endpoint with their attempts, the newest delivery first, attempts in order. A null parameter does
-- not filter. The type may be "test", "correction" or "carrier_change"; `to` is exclusive; `before` is a delivery's id.
-- params: endpointId, most, status?, eventType?, from?, to?, before?
-- never null: status
-- typed: event_type DeliveredType from ../queue/delivered-type.ts
-- typed: status DeliveryStatus from ./delivery-history.ts
-- typed: cancel_reason CancelReason from ../queue/cancel-queued.ts
-- typed: attempts AttemptShown[] from ./delivery-history.ts
SELECT delivery.id, coalesce(delivery.event_id, delivery.test_number) AS event_id, delivery.correction_id, delivery.change_id, delivery.event_type, delivery.is_test,
  delivery.status, delivery.cancel_reason,
  delivery.created_at, delivery.due_at, delivery.finished_at, tried.attempts
FROM (
  SELECT * FROM webhook_delivery_state
  WHERE endpoint_id = $1::bigint
    AND ($3::text IS NULL OR status = $3)
    AND ($4::text IS NULL OR CASE $4 WHEN 'test' THEN is_test WHEN 'correction' THEN correction_id IS NOT NULL
      ELSE NOT is_test AND event_type = $4 END)
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
ORDER BY delivery.id DESC;

-- name: changesOf :many
-- The changes that deliveries tell, and what decides about sending them. No row for one that may not be shown.
-- params: deliveryIds, endpointIds, changeIds
-- never null: deliveryId, isWatched, isInPlan
-- typed: item Record<string, string | null>
-- plan: once
SELECT asked.delivery_id AS "deliveryId", change.id, change.usdot, change.category, change.field, change.docket, change.item,
  change.old_value, change.new_value, change.registry_on, change.seen_at, change.source,
  is_watched(endpoint.account_id, change.usdot) AS "isWatched",
  plan_watches(account.plan_code, filed_state(change.usdot)) AS "isInPlan"
FROM unnest($1::bigint[], $2::int[], $3::bigint[]) AS asked (delivery_id, endpoint_id, change_id)
JOIN visible_carrier_change AS change ON change.id = asked.change_id
JOIN webhook_endpoint AS endpoint ON endpoint.id = asked.endpoint_id
JOIN account ON account.id = endpoint.account_id;

-- name: findTest :exec
-- One row if the account has a test delivery.
-- params: accountId
SELECT FROM webhook_delivery WHERE account_id = $1 AND is_test LIMIT 1;

-- name: insertTest :one
-- Queues a test delivery: it never waits behind others.
-- params: endpointId, accountId, testNumber, eventType, now
WITH delivery AS (
  INSERT INTO webhook_delivery (endpoint_id, account_id, test_number, is_test, event_type, created_at)
  VALUES ($1, $2, $3, true, $4, $5)
  RETURNING id
)
INSERT INTO webhook_retry (delivery_id, endpoint_id, account_id, is_test, due_at, attempt)
SELECT id, $1, $2, true, $5, 1 FROM delivery
RETURNING delivery_id AS id;

-- name: lockDelivery :one?
-- Reads what decides about sending a delivery again. A pause of the endpoint blocks on this lock, and then cancels the
-- delivery that is queued here.
-- params: deliveryId, accountId, carriedTypes, endpointId?
SELECT endpoint.active,
  CASE WHEN delivery.change_id IS NULL
    THEN delivery.event_type = ANY (endpoint.event_types) AND (delivery.correction_id IS NULL OR endpoint.corrections)
    ELSE endpoint.changes AND coalesce(
      (SELECT is_watched(endpoint.account_id, change.usdot) FROM visible_carrier_change AS change
       WHERE change.id = delivery.change_id), true) END AS "isSubscribed",
  CASE WHEN delivery.change_id IS NULL THEN event.id IS NULL
    ELSE NOT EXISTS (SELECT FROM visible_carrier_change AS change WHERE change.id = delivery.change_id) END AS "isRemoved",
  CASE WHEN delivery.change_id IS NULL
    THEN EXISTS (SELECT FROM plan_sees_event(account.plan_code, event.type, event.state, $3::text[]))
    ELSE EXISTS (SELECT FROM visible_carrier_change AS change
      WHERE change.id = delivery.change_id AND plan_watches(account.plan_code, filed_state(change.usdot))) END AS "isInPlan"
FROM webhook_delivery AS delivery
JOIN webhook_endpoint AS endpoint ON endpoint.id = delivery.endpoint_id AND endpoint.deleted_at IS NULL
JOIN account ON account.id = endpoint.account_id
LEFT JOIN visible_event AS event ON event.id = delivery.event_id
WHERE delivery.id = $1::bigint AND delivery.account_id = $2
  AND ($4::bigint IS NULL OR delivery.endpoint_id = $4) AND NOT delivery.is_test
FOR NO KEY UPDATE OF endpoint;

-- name: queueAgain :exec
-- Queues a delivery that has ended or waits for a retry, due now and with its whole retry schedule. No row when it is due
-- already and no attempt of its schedule has failed: then it is being sent, or will be at once.
-- params: deliveryId, now
INSERT INTO webhook_retry AS waiting (delivery_id, endpoint_id, account_id, due_at, attempt)
SELECT delivery.id, delivery.endpoint_id, delivery.account_id, $2::timestamptz,
  coalesce((SELECT max(attempt) FROM webhook_result WHERE delivery_id = delivery.id), 0) + 1
FROM webhook_delivery_state AS delivery
WHERE delivery.id = $1::bigint AND (delivery.status <> 'queued' OR (delivery.is_retry AND (delivery.due_at > $2 OR delivery.failures > 0)))
ON CONFLICT (delivery_id) DO UPDATE SET due_at = least(waiting.due_at, excluded.due_at), failures = 0
  WHERE waiting.due_at > excluded.due_at OR waiting.failures > 0;

-- name: readDelivery :one?
-- One delivery of an account with its event, unless the event's business is on the removal list or the plan does not
-- include the event.
-- params: deliveryId, accountId, carriedTypes
-- never null: status
-- typed: event_type DeliveredType from ../queue/delivered-type.ts
-- typed: type EventType from ../../events/event-types.ts
-- typed: status DeliveryStatus from ./delivery-history.ts
-- typed: cancel_reason CancelReason from ../queue/cancel-queued.ts
-- typed: data EventData from ../../events/event-row.ts
-- typed: kind CorrectionKind from ../../events/event-row.ts
-- typed: payload Payload from ../endpoints/filters.ts
-- typed: attempts RecordedAttempt[] from ./read-delivery.ts
SELECT delivery.id AS delivery_id, delivery.endpoint_id,
  coalesce(delivery.event_id, delivery.test_number) AS event_id, delivery.correction_id, delivery.change_id, delivery.event_type, delivery.is_test,
  delivery.status, delivery.cancel_reason, delivery.created_at, delivery.due_at, delivery.finished_at,
  correction.kind, correction.corrected_at,
  event.id, event.type, event.country, event.usdot, event.docket, event.state, event.occurred_on, event.detected_at,
  event.source_dataset, event.verify_method, event.data,
  (SELECT coalesce(json_agg(tried ORDER BY tried.attempt), '[]')
   FROM (SELECT attempt, started_at, duration_ms, http_status, reason,
           CASE WHEN length(signature) IN (32, 64)
             THEN 't=' || floor(extract(epoch FROM started_at)) || ',v1=' || encode(substr(signature, 1, 32), 'hex') ||
               CASE WHEN length(signature) = 64 THEN ',v1=' || encode(substr(signature, 33), 'hex') ELSE '' END
             ELSE '' END AS signature
         FROM webhook_result WHERE delivery_id = delivery.id AND attempt IS NOT NULL) AS tried) AS attempts,
  endpoint.payload, endpoint.secret_sealed, endpoint.previous_secret_sealed
FROM webhook_delivery_state AS delivery
JOIN webhook_endpoint AS endpoint ON endpoint.id = delivery.endpoint_id AND endpoint.deleted_at IS NULL
JOIN account ON account.id = endpoint.account_id
LEFT JOIN visible_event AS event ON event.id = delivery.event_id
  AND EXISTS (SELECT FROM plan_sees_event(account.plan_code, event.type, event.state, $3::text[]))
LEFT JOIN event_correction AS correction ON correction.id = delivery.correction_id
WHERE delivery.id = $1::bigint AND delivery.account_id = $2;

-- name: testAllowance :one?
-- Whether an endpoint may have another test delivery; no row when the account has no such endpoint. `since` is the
-- time that must be a minute ago before the next test; null when the limits are not reached. Tests dated more than a
-- minute ahead, by a wrong clock, do not count.
-- params: endpointId, accountId, minuteAgo, perEndpoint, perAccount
-- never null: event_type
SELECT
  endpoint.event_types[1] AS event_type,
  coalesce(
    (SELECT created_at FROM webhook_delivery
     WHERE account_id = $2 AND is_test AND created_at > $3::timestamptz AND created_at <= $3 + interval '2 minutes' AND endpoint_id = endpoint.id
     ORDER BY created_at DESC OFFSET $4::int - 1 LIMIT 1),
    (SELECT created_at FROM webhook_delivery
     WHERE account_id = $2 AND is_test AND created_at > $3::timestamptz AND created_at <= $3 + interval '2 minutes'
     ORDER BY created_at DESC OFFSET $5::int - 1 LIMIT 1)) AS since
FROM webhook_endpoint AS endpoint
WHERE endpoint.id = $1::bigint AND endpoint.account_id = $2 AND endpoint.deleted_at IS NULL;
