-- Turns the next events into deliveries, one for each event and endpoint that is to get it, and moves the cursor behind
-- them; all in this statement, so that a process killed anywhere has done both or nothing. Another process that fans out
-- right now has the cursor: then nothing happens here. Events are written by one importer, their ids become visible in
-- order, and the cursor skips none. $1: now. $2, $3: event types and the feeds that carry them, at the same place of both
-- lists. $4: the most events. $5: about the most deliveries.
WITH
cursor AS MATERIALIZED (SELECT last_event_id FROM webhook_fan_out FOR NO KEY UPDATE SKIP LOCKED),
-- The more endpoints, the fewer events at a time: a statement is to end soon.
reach AS (
  SELECT greatest(1, least($4::int, $5::int / greatest(1, count(*)))) AS events FROM webhook_endpoint WHERE active
),
chunk AS MATERIALIZED (
  SELECT event.id, event.type, event.state, event.usdot
  FROM event
  WHERE event.id > (SELECT last_event_id FROM cursor)
  ORDER BY event.id
  LIMIT (SELECT events FROM reach)
),
queued AS (
  INSERT INTO webhook_delivery (endpoint_id, account_id, event_id, event_type, status, due_at, created_at)
  SELECT endpoint.id, endpoint.account_id, chunk.id, chunk.type, 'queued', $1, $1
  FROM chunk
  JOIN webhook_endpoint AS endpoint
    ON endpoint.active AND endpoint.after_event_id < chunk.id AND chunk.type = ANY (endpoint.event_types)
  JOIN account ON account.id = endpoint.account_id
  JOIN plan ON plan.code = account.plan_code AND plan.api_access
  WHERE EXISTS (
      SELECT FROM unnest($2::text[], $3::text[]) AS carried (type, feed)
      JOIN plan_feed ON plan_feed.plan_code = plan.code AND plan_feed.feed_code = carried.feed
      WHERE carried.type = chunk.type AND (plan_feed.all_regions OR chunk.state = ANY (plan_feed.regions)))
    AND NOT EXISTS (SELECT FROM suppressed_business WHERE suppressed_business.usdot = chunk.usdot)
  ORDER BY chunk.id, endpoint.id
  -- Nobody else queues an event that the cursor has not passed; if somebody did, fan-out must not stand still for ever.
  ON CONFLICT (endpoint_id, event_id) DO NOTHING
  RETURNING 1
),
moved AS (
  UPDATE webhook_fan_out SET last_event_id = newest.id
  FROM (SELECT max(id) AS id FROM chunk) AS newest
  WHERE newest.id IS NOT NULL
  RETURNING 1
)
SELECT (SELECT count(*) FROM chunk) AS events, (SELECT count(*) FROM queued) AS deliveries
