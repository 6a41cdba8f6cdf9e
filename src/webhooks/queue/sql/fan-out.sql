-- name: fanOut :one
-- Queues a delivery for each next event and each endpoint that it is for, and advances the cursor, in one statement: a
-- killed process has done both or neither. If another process holds the cursor, it does nothing. One importer writes
-- all events and their ids become visible in order, so the cursor skips none. Whoever inserts deliveries of events holds
-- the cursor, so ids of deliveries become visible in order too.
-- params: now, carriedTypes, mostEvents, mostDeliveries
WITH
cursor AS MATERIALIZED (SELECT last_event_id FROM webhook_fan_out FOR NO KEY UPDATE SKIP LOCKED),
-- With more endpoints it takes fewer events, to stay under the statement timeout.
reach AS (
  SELECT greatest(1, least($3::int, $4::int / greatest(1, count(*)))) AS events,
    bool_or(trucks_min IS NOT NULL OR trucks_max IS NOT NULL) AS is_by_trucks
  FROM webhook_endpoint WHERE active
),
chunk AS MATERIALIZED (
  SELECT max(id) AS last_id, count(*) AS events
  FROM (
    SELECT id FROM event_position
    WHERE id > (SELECT last_event_id FROM cursor)
    ORDER BY id
    LIMIT (SELECT events FROM reach)) AS next
),
-- Which plans see which of these events, asked once for each type and state.
sight AS MATERIALIZED (
  SELECT customer.plan_code, kind.type, coalesce(kind.state, '') AS state
  FROM (
    SELECT DISTINCT type, state FROM visible_event
    WHERE id > (SELECT last_event_id FROM cursor) AND id <= (SELECT last_id FROM chunk)) AS kind
  CROSS JOIN (
    SELECT DISTINCT account.plan_code FROM webhook_endpoint AS endpoint JOIN account ON account.id = endpoint.account_id
    WHERE endpoint.active) AS customer
  CROSS JOIN plan_sees_event(customer.plan_code, kind.type, kind.state, $2::text[])
),
queued AS (
  INSERT INTO webhook_delivery (endpoint_id, account_id, event_id, event_type, created_at)
  SELECT endpoint.id, endpoint.account_id, event.id, event.type, $1
  FROM visible_event AS event
  -- Looked up once for an event, and only if an endpoint asks for it. OFFSET keeps the planner from repeating it.
  CROSS JOIN LATERAL (
    SELECT CASE WHEN (SELECT is_by_trucks FROM reach)
      THEN (SELECT census.power_units FROM census WHERE census.usdot = event.usdot) END AS trucks
    OFFSET 0) AS business
  JOIN webhook_endpoint AS endpoint
    ON endpoint.active AND endpoint.after_event_id < event.id AND webhook_wants_event(endpoint, event, business.trucks)
      AND webhook_watches(endpoint, event.usdot)
  JOIN account ON account.id = endpoint.account_id
  JOIN sight ON sight.plan_code = account.plan_code AND sight.type = event.type AND sight.state = coalesce(event.state, '')
  WHERE event.id > (SELECT last_event_id FROM cursor) AND event.id <= (SELECT last_id FROM chunk)
  ORDER BY event.id, endpoint.id
  RETURNING 1
),
moved AS (
  UPDATE webhook_fan_out SET last_event_id = chunk.last_id FROM chunk WHERE chunk.last_id IS NOT NULL
  RETURNING 1
)
SELECT (SELECT events FROM chunk) AS taken, (SELECT count(*) FROM queued) AS deliveries;
