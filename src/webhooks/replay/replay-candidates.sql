-- The events of a window that a replay sends to an endpoint, each with its delivery, if any, and the reason to send it.
-- Present values of type, filters, plan, regions and removal list decide, as at fan-out. Events from before the endpoint was
-- registered or enabled are included, unlike at fan-out. A delivery that waits for its first attempt
-- is not sent again. $1: endpoint. $2: event types and their feeds (plan_event_feed). $3, $4: ids of the window,
-- without the first. $5, $6: range of detected_at, without the end. $7: start of the replay; it queued deliveries that
-- ended later. $8: the kinds to include.
SELECT event.id AS event_id, event.type AS event_type, endpoint.account_id, delivery.id AS delivery_id,
  kind.of_event AS kind
-- OFFSET makes the planner read the endpoint first, once.
FROM (
  SELECT webhook_endpoint.id, webhook_endpoint.event_types, webhook_endpoint.account_id, account.plan_code,
    webhook_endpoint AS wishes, coalesce(trucks_min, trucks_max) IS NOT NULL AS is_by_trucks
  FROM webhook_endpoint JOIN account ON account.id = webhook_endpoint.account_id
  WHERE webhook_endpoint.id = $1::bigint OFFSET 0) AS endpoint
JOIN visible_event AS event ON event.id > $3::bigint AND event.id <= $4::bigint
  AND event.detected_at >= $5::timestamptz AND event.detected_at < $6::timestamptz
  AND event.type = ANY (endpoint.event_types)
CROSS JOIN LATERAL (
  SELECT CASE WHEN endpoint.is_by_trucks
    THEN (SELECT census.power_units FROM census WHERE census.usdot = event.usdot) END AS trucks
  OFFSET 0) AS business
LEFT JOIN webhook_delivery_state AS delivery
  ON delivery.endpoint_id = endpoint.id AND delivery.event_id = event.id
CROSS JOIN LATERAL (
  SELECT CASE delivery.status WHEN 'queued' THEN 'retrying' ELSE coalesce(delivery.status, 'missed') END AS of_event) AS kind
WHERE kind.of_event = ANY ($8::text[])
  AND webhook_wants_event(endpoint.wishes, event, business.trucks)
  AND EXISTS (SELECT FROM plan_sees_event(endpoint.plan_code, event.type, event.state, $2::text[]))
  AND (delivery.id IS NULL
    OR (delivery.status = 'queued' AND delivery.failures > 0)
    OR (delivery.status <> 'queued' AND delivery.finished_at < $7::timestamptz))
