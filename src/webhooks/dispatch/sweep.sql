-- Puts deliveries back whose lease is over: the process that had claimed them died or hangs. What that process may
-- still record is fenced off by the number of the next attempt.
-- params: now
UPDATE webhook_delivery SET status = 'queued', lease_until = NULL
WHERE id IN (
  SELECT id FROM webhook_delivery
  WHERE status = 'sending' AND lease_until <= $1
  ORDER BY lease_until
  LIMIT 1000
  FOR NO KEY UPDATE SKIP LOCKED)
