-- The highest event id that deliveries don't need any more: all events up to it are queued, and these deliveries are
-- finished. Null when nothing is needed.
-- params: none
SELECT least(
  (SELECT last_event_id FROM webhook_fan_out WHERE EXISTS (SELECT FROM webhook_endpoint WHERE active)),
  (SELECT min(delivery.event_id) - 1
   FROM webhook_retry AS retry JOIN webhook_delivery AS delivery ON delivery.id = retry.delivery_id),
  (SELECT min(waiting.event_id) - 1
   FROM webhook_endpoint AS endpoint
   CROSS JOIN LATERAL (
-- include: unfinished.sql
   ) AS waiting)) AS up_to
