-- The events of a window that a replay is to send to an endpoint, each with its delivery, if there is one, and in one
-- word why it is to be sent. Who gets which event is decided as at fan-out, by type, plan, regions and removal list of
-- this moment; events from before the endpoint was registered or enabled, which fan-out leaves out, are the point here.
-- What waits for its first attempt or is being sent is on its way already. $1: the endpoint. $2: event types and the
-- feeds that carry them (plan_event_feed). $3, $4: ids of the window, the first one outside of it. $5, $6: the range of
-- detected_at, the second time outside of it. $7: deliveries that ended later are this very replay's. $8: delivered ones
-- too.
SELECT event.id AS event_id, event.type AS event_type, endpoint.account_id, delivery.id AS delivery_id,
  CASE delivery.status WHEN 'queued' THEN 'retrying' ELSE coalesce(delivery.status, 'never_queued') END AS kind
-- OFFSET makes the planner read the endpoint first, once.
FROM (
  SELECT webhook_endpoint.id, webhook_endpoint.event_types, webhook_endpoint.account_id, account.plan_code
  FROM webhook_endpoint JOIN account ON account.id = webhook_endpoint.account_id
  WHERE webhook_endpoint.id = $1::bigint OFFSET 0) AS endpoint
JOIN visible_event AS event ON event.id > $3::bigint AND event.id <= $4::bigint
  AND event.detected_at >= $5::timestamptz AND event.detected_at < $6::timestamptz
  AND event.type = ANY (endpoint.event_types)
LEFT JOIN webhook_delivery AS delivery
  ON delivery.endpoint_id = endpoint.id AND delivery.event_id = event.id
WHERE EXISTS (SELECT FROM plan_sees_event(endpoint.plan_code, event.type, event.state, $2::text[]))
  AND (delivery.id IS NULL
    OR (delivery.status = 'queued' AND delivery.failures > 0)
    OR (delivery.finished_at < $7::timestamptz
      AND (delivery.status IN ('cancelled', 'failed') OR (delivery.status = 'delivered' AND $8::boolean))))
