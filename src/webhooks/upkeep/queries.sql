-- name: endpointsWithoutPlan :many
-- Active endpoints whose account's plan no longer includes any of their event types.
-- params: carriedTypes
SELECT endpoint.id
FROM webhook_endpoint AS endpoint
JOIN account ON account.id = endpoint.account_id
WHERE endpoint.active AND NOT EXISTS (
  SELECT FROM unnest(endpoint.event_types) AS event_type
  CROSS JOIN plan_event_feed(account.plan_code, event_type, $1::text[]))
ORDER BY endpoint.id;

-- name: eraseDeleted :one
-- Erases some deliveries of deleted endpoints, with their results. Gives how many.
-- params: deletedBefore, most
WITH batch AS (
  SELECT delivery.id
  FROM webhook_endpoint AS endpoint
  CROSS JOIN LATERAL (
    SELECT id FROM webhook_delivery
    WHERE endpoint_id = endpoint.id
    ORDER BY id LIMIT $2) AS delivery
  WHERE endpoint.deleted_at <= $1
  LIMIT $2
),
results AS (DELETE FROM webhook_result WHERE delivery_id IN (SELECT id FROM batch)),
retries AS (DELETE FROM webhook_retry WHERE delivery_id IN (SELECT id FROM batch)),
erased AS (DELETE FROM webhook_delivery WHERE id IN (SELECT id FROM batch) RETURNING 1)
SELECT count(*) AS erased FROM erased;

-- name: eraseEndpoints :exec
-- Erases deleted endpoints that have no deliveries left, with what is kept about their queue; and retries of deliveries that
-- were dropped with their month.
-- params: deletedBefore
WITH erased AS (
  DELETE FROM webhook_endpoint AS endpoint
  WHERE deleted_at <= $1 AND NOT EXISTS (SELECT FROM webhook_delivery WHERE endpoint_id = endpoint.id)
  RETURNING id
),
progress AS (DELETE FROM webhook_progress WHERE endpoint_id IN (SELECT id FROM erased)),
cancellations AS (DELETE FROM webhook_cancellation WHERE endpoint_id IN (SELECT id FROM erased))
DELETE FROM webhook_retry AS retry
WHERE delivery_id < coalesce((SELECT min(id) FROM webhook_delivery), 9223372036854775807)
  AND NOT EXISTS (SELECT FROM webhook_delivery WHERE id = retry.delivery_id);

-- name: erasePreviousSecrets :exec
-- Erases secrets whose overlap with a newer one is over.
-- params: now
UPDATE webhook_endpoint SET previous_secret_sealed = NULL, previous_secret_until = NULL WHERE previous_secret_until <= $1;

-- name: pausedWithRetries :many
-- Paused and deleted endpoints whose deliveries wait for another attempt, and the reason to cancel them.
SELECT endpoint.id AS "endpointId", endpoint.deleted_at IS NOT NULL AS "isDeleted",
  endpoint.disabled_reason AS "disabledReason"
FROM webhook_endpoint AS endpoint
WHERE NOT endpoint.active AND EXISTS (
  SELECT FROM webhook_retry AS retry WHERE retry.endpoint_id = endpoint.id
    AND (NOT retry.is_test OR endpoint.deleted_at IS NOT NULL));
