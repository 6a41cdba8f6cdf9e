-- Event ids of a range of time, above "before" and up to "last"; ids grow as detected_at does. Events that are not fanned
-- out yet are left to fan-out, else both would queue them. Fan-out leaves out events from before the endpoint was
-- enabled, however late it reaches them, so a replay includes those.
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
