-- The ids of the events in a range of time, which grow as detected_at does: behind "before" and up to "last". What
-- fan-out has not come to yet is left to it: else both would queue the same. It leaves out what lies before the
-- endpoint was enabled, however late it comes.
-- params: endpointId, accountId?, from, to
SELECT endpoint.active,
  coalesce((SELECT event.id - 1 FROM event_position AS event WHERE event.detected_at >= $3::timestamptz
    ORDER BY event.detected_at, event.id LIMIT 1), 0) AS before,
  least(
    greatest(fan_out.last_event_id, endpoint.after_event_id),
    coalesce((SELECT event.id FROM event_position AS event WHERE event.detected_at < $4::timestamptz
      ORDER BY event.detected_at DESC, event.id DESC LIMIT 1), 0)) AS last
FROM webhook_endpoint AS endpoint
CROSS JOIN webhook_fan_out AS fan_out
WHERE endpoint.id = $1::bigint AND endpoint.deleted_at IS NULL AND ($2::integer IS NULL OR endpoint.account_id = $2)
