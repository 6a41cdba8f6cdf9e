-- How many visible events of each type were detected on the newest day (UTC) that has one. No row when there is no event.
-- params: none
-- typed: type EventType from ./event-types.ts
WITH newest AS (
  SELECT date_trunc('day', detected_at, 'UTC') AS "start"
  FROM visible_event
  ORDER BY id DESC
  LIMIT 1
)
SELECT (newest."start" AT TIME ZONE 'UTC')::date AS day, event.type, count(*)::int AS count
FROM newest
JOIN visible_event AS event ON event.detected_at >= newest."start"
GROUP BY newest."start", event.type
