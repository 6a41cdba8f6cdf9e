-- The time since which the oldest due delivery has waited; null when none is due. It also counts an event that is not
-- fanned out yet: if no dispatcher works, no delivery shows that.
-- params: now
SELECT min(since) AS since
FROM (
  (SELECT due_at AS since FROM webhook_delivery WHERE status = 'queued' AND due_at <= $1 ORDER BY due_at LIMIT 1)
  UNION ALL
  (SELECT event.detected_at FROM event_position AS event
   WHERE event.id > (SELECT last_event_id FROM webhook_fan_out) AND EXISTS (
     SELECT FROM webhook_endpoint AS endpoint WHERE endpoint.active AND endpoint.after_event_id < event.id)
   ORDER BY event.id LIMIT 1)
) AS waiting
