-- Queues deliveries again whose lease is over: the process that claimed them died or hangs. A late record of that process
-- is ignored, because the next attempt has another number.
-- params: now
UPDATE webhook_delivery SET status = 'queued', lease_until = NULL
WHERE id IN (
  SELECT id FROM webhook_delivery
  WHERE status = 'sending' AND lease_until <= $1
  ORDER BY lease_until
  LIMIT 1000
  FOR NO KEY UPDATE SKIP LOCKED)
