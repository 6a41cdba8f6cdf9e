-- The highest event id that deliveries don't need any more: all events up to it are queued, and these deliveries are
-- finished. Null when nothing is needed.
-- params: none
SELECT least(
  (SELECT last_event_id FROM webhook_fan_out WHERE EXISTS (SELECT FROM webhook_endpoint WHERE active)),
  (SELECT min(event_id) - 1 FROM webhook_delivery WHERE status IN ('queued', 'sending'))) AS up_to
