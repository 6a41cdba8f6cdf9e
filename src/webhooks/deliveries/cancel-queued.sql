-- Cancels what is queued for an endpoint: ordinary or test deliveries or both, of all event types where none are named.
-- params: endpointId, now, reason, isTest, eventTypes?, most
UPDATE webhook_delivery SET status = 'cancelled', cancel_reason = $3, finished_at = $2
-- A list, so that the queue is read once, whatever the statistics of a table that has just grown make of it.
WHERE id = ANY (ARRAY(
  SELECT id FROM webhook_delivery
  WHERE endpoint_id = $1 AND status = 'queued' AND is_test = ANY ($4::boolean[])
    AND ($5::text[] IS NULL OR event_type = ANY ($5::text[]))
  LIMIT $6
  FOR NO KEY UPDATE))
