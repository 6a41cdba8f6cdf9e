-- name: fanOutCorrections :one
-- Queues a delivery for each next correction and each endpoint that asks for corrections and wants its event, and advances
-- the cursor, as fanOut does for events. An endpoint that was registered or enabled after the event gets it too: it may
-- have read the event. So does one that was sent the event and whose filters would not let it through any more, since the
-- carrier left a list or has other trucks.
-- params: now, carriedTypes, mostDeliveries
WITH
cursor AS MATERIALIZED (SELECT last_correction_id FROM webhook_fan_out FOR NO KEY UPDATE SKIP LOCKED),
chunk AS MATERIALIZED (
  SELECT max(id) AS last_id, count(*) AS corrections
  FROM (
    SELECT id FROM event_correction
    WHERE id > (SELECT last_correction_id FROM cursor)
    ORDER BY id
    LIMIT (SELECT greatest(1, $3::int / greatest(1, count(*))) FROM webhook_endpoint WHERE active AND corrections)
  ) AS next
),
queued AS (
  INSERT INTO webhook_delivery (endpoint_id, account_id, event_id, correction_id, event_type, created_at)
  SELECT endpoint.id, endpoint.account_id, event.id, correction.id, event.type, $1
  FROM event_correction AS correction
  JOIN visible_event AS event ON event.id = correction.event_id
  LEFT JOIN census ON census.usdot = event.usdot
  JOIN webhook_endpoint AS endpoint
    ON endpoint.active AND endpoint.corrections AND event.type = ANY (endpoint.event_types)
      AND (webhook_wants_event(endpoint, event, census.power_units) AND webhook_watches(endpoint, event.usdot)
        OR EXISTS (
          SELECT FROM webhook_delivery AS earlier
          WHERE earlier.event_id = event.id AND earlier.endpoint_id = endpoint.id AND earlier.correction_id IS NULL))
  JOIN account ON account.id = endpoint.account_id
  WHERE correction.id > (SELECT last_correction_id FROM cursor) AND correction.id <= (SELECT last_id FROM chunk)
    AND EXISTS (SELECT FROM plan_sees_event(account.plan_code, event.type, event.state, $2::text[]))
  ORDER BY correction.id, endpoint.id
  RETURNING 1
),
moved AS (
  UPDATE webhook_fan_out SET last_correction_id = chunk.last_id FROM chunk WHERE chunk.last_id IS NOT NULL
  RETURNING 1
)
SELECT (SELECT corrections FROM chunk) AS taken, (SELECT count(*) FROM queued) AS deliveries;
