-- Turns the next events into deliveries, one for each event and endpoint that is to get it, and moves the cursor
-- behind them; all in this statement, so that a process killed anywhere has done both or nothing. Another process that
-- fans out right now has the cursor: then nothing happens here. Events are written by one importer, their ids become
-- visible in order, and the cursor skips none.
-- params: now, carriedTypes, mostEvents, mostDeliveries
WITH
cursor AS MATERIALIZED (SELECT last_event_id FROM webhook_fan_out FOR NO KEY UPDATE SKIP LOCKED),
-- The more endpoints, the fewer events at a time: a statement is to end soon.
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
  -- Nobody else queues an event that the cursor has not passed; if somebody did, fan-out must not stand still for ever.
  ON CONFLICT (endpoint_id, event_id) DO NOTHING
  RETURNING 1
),
moved AS (
  UPDATE webhook_fan_out SET last_event_id = chunk.last_id FROM chunk WHERE chunk.last_id IS NOT NULL
  RETURNING 1
)
SELECT (SELECT events FROM chunk) AS events, (SELECT count(*) FROM queued) AS deliveries
