-- The events of a window that a replay is to send to an endpoint, each with its delivery, if there is one, and in one
-- word why it is to be sent. Who gets which event is decided as at fan-out, by type, plan, regions and removal list of
-- this moment; events from before the endpoint was registered or enabled, which fan-out leaves out, are the point here.
-- What waits for its first attempt or is being sent is on its way already. $1: the endpoint. $2, $3: event types and the
-- feeds that carry them. $4, $5: ids of the window, the first one outside of it. $6, $7: the range of detected_at, the
-- second time outside of it. $8: deliveries that ended later are this very replay's. $9: delivered ones too.
SELECT event.id AS event_id, event.type AS event_type, endpoint.account_id, delivery.id AS delivery_id,
  CASE delivery.status WHEN 'queued' THEN 'retrying' ELSE coalesce(delivery.status, 'never_queued') END AS kind
FROM webhook_endpoint AS endpoint
JOIN account ON account.id = endpoint.account_id
JOIN plan ON plan.code = account.plan_code AND plan.api_access
JOIN event ON event.id > $4::bigint AND event.id <= $5::bigint
  AND event.detected_at >= $6::timestamptz AND event.detected_at < $7::timestamptz
  AND event.type = ANY (endpoint.event_types)
LEFT JOIN webhook_delivery AS delivery
  ON delivery.endpoint_id = endpoint.id AND delivery.event_id = event.id AND NOT delivery.is_test
WHERE endpoint.id = $1::bigint
  AND EXISTS (
    SELECT FROM unnest($2::text[], $3::text[]) AS carried (type, feed)
    JOIN plan_feed ON plan_feed.plan_code = plan.code AND plan_feed.feed_code = carried.feed
    WHERE carried.type = event.type AND (plan_feed.all_regions OR event.state = ANY (plan_feed.regions)))
  AND NOT EXISTS (SELECT FROM suppressed_business WHERE suppressed_business.usdot = event.usdot)
  AND (delivery.id IS NULL
    OR (delivery.status = 'queued' AND delivery.failures > 0)
    OR (delivery.finished_at < $8::timestamptz
      AND (delivery.status IN ('cancelled', 'failed') OR (delivery.status = 'delivered' AND $9::boolean))))
