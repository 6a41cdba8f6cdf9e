-- The time since which the oldest due delivery has waited; null when none is due. It also counts an event that is not
-- fanned out yet: if no dispatcher works, no delivery shows that.
-- params: now
SELECT min(since) AS since
FROM (
  (SELECT due_at AS since FROM webhook_retry WHERE due_at <= $1 ORDER BY due_at LIMIT 1)
  UNION ALL
  (SELECT min(first.created_at)
   FROM webhook_endpoint AS endpoint
   CROSS JOIN LATERAL (
-- include: unfinished.sql
     ORDER BY delivery.endpoint_id, delivery.id LIMIT 1) AS first
   WHERE first.created_at <= $1)
  UNION ALL
  (SELECT event.detected_at FROM event_position AS event
   WHERE event.id > (SELECT last_event_id FROM webhook_fan_out) AND EXISTS (
     SELECT FROM webhook_endpoint AS endpoint WHERE endpoint.active AND endpoint.after_event_id < event.id)
   ORDER BY event.id LIMIT 1)
) AS waiting
