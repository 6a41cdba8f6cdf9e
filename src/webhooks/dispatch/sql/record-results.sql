-- name: recordResults :many
-- Records any results. Their endpoints are locked. Leaves out what is recorded already; gives the deliveries of the rest.
-- params: deliveryIds, endpointIds, attempts[?], startedAt[?], durationsMs[?], httpStatuses[?], reasons[?], signatures[?]
-- params: outcomes, cancelReasons[?], endedAt
INSERT INTO webhook_result (delivery_id, number, endpoint_id, attempt, started_at, duration_ms, http_status, reason,
  signature, outcome, cancel_reason, ended_at)
SELECT ended.delivery_id, coalesce(earlier.number, 0) + 1, ended.endpoint_id, ended.attempt, ended.started_at,
  ended.duration_ms, ended.http_status, ended.reason, decode(ended.signature, 'hex'), ended.outcome, ended.cancel_reason,
  ended.ended_at
FROM unnest($1::bigint[], $2::int[], $3::int[], $4::timestamptz[], $5::int[], $6::int[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::timestamptz[])
  AS ended (delivery_id, endpoint_id, attempt, started_at, duration_ms, http_status, reason, signature, outcome,
    cancel_reason, ended_at)
CROSS JOIN LATERAL (
  SELECT max(result.number) AS number,
    bool_or(result.attempt = ended.attempt OR (ended.attempt IS NULL AND result.ended_at = ended.ended_at)) AS is_recorded
  FROM webhook_result AS result WHERE result.delivery_id = ended.delivery_id) AS earlier
WHERE earlier.is_recorded IS NOT TRUE
RETURNING delivery_id AS "deliveryId";
