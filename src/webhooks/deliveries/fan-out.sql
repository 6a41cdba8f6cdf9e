-- Queues a delivery for each next event and each endpoint that it is for, and advances the cursor, in one statement: a
-- killed process has done both or neither. If another process holds the cursor, it does nothing. One importer writes
-- all events and their ids become visible in order, so the cursor skips none.
-- params: now, carriedTypes, mostEvents, mostDeliveries
WITH
cursor AS MATERIALIZED (SELECT last_event_id FROM webhook_fan_out FOR NO KEY UPDATE SKIP LOCKED),
-- With more endpoints it takes fewer events, to stay under the statement timeout.
reach AS (
  SELECT greatest(1, least($3::int, $4::int / greatest(1, count(*)))) AS events FROM webhook_endpoint WHERE active
),
chunk AS MATERIALIZED (
  SELECT max(id) AS last_id, count(*) AS events
  FROM (
    SELECT id FROM event_position
    WHERE id > (SELECT last_event_id FROM cursor)
    ORDER BY id
    LIMIT (SELECT events FROM reach)) AS next
),
queued AS (
  INSERT INTO webhook_delivery (endpoint_id, account_id, event_id, event_type, status, due_at, created_at)
  SELECT endpoint.id, endpoint.account_id, event.id, event.type, 'queued', $1, $1
  FROM visible_event AS event
  JOIN webhook_endpoint AS endpoint
    ON endpoint.active AND endpoint.after_event_id < event.id AND event.type = ANY (endpoint.event_types)
  JOIN account ON account.id = endpoint.account_id
  CROSS JOIN plan_sees_event(account.plan_code, event.type, event.state, $2::text[])
  WHERE event.id > (SELECT last_event_id FROM cursor) AND event.id <= (SELECT last_id FROM chunk)
  ORDER BY event.id, endpoint.id
  -- Only fan-out queues events above the cursor. If another writer did, a conflict must not block fan-out for ever.
  ON CONFLICT (endpoint_id, event_id) DO NOTHING
  RETURNING 1
),
moved AS (
  UPDATE webhook_fan_out SET last_event_id = chunk.last_id FROM chunk WHERE chunk.last_id IS NOT NULL
  RETURNING 1
)
SELECT (SELECT events FROM chunk) AS events, (SELECT count(*) FROM queued) AS deliveries
