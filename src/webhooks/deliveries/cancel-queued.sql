-- Cancels queued deliveries of an endpoint: ordinary ones, tests or both; of all event types unless some are given.
-- params: endpointId, now, reason, isTest, eventTypes?, most
UPDATE webhook_delivery SET status = 'cancelled', cancel_reason = $3, finished_at = $2
-- ARRAY makes the planner read the queue once, even with outdated statistics of a table that has just grown.
WHERE id = ANY (ARRAY(
  SELECT id FROM webhook_delivery
  WHERE endpoint_id = $1 AND status = 'queued' AND is_test = ANY ($4::boolean[])
    AND ($5::text[] IS NULL OR event_type = ANY ($5::text[]))
  LIMIT $6
  FOR NO KEY UPDATE))
