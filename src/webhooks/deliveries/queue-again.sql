-- Queues a delivery that has ended or waits for a retry, due now and with its whole retry schedule.
-- params: deliveryId, now
UPDATE webhook_delivery
SET status = 'queued', due_at = $2, failures = 0, cancel_reason = NULL, finished_at = NULL, lease_until = NULL
WHERE id = (
  -- A dispatcher that records it holds this row and locks the endpoint next: waiting for it would deadlock.
  SELECT id FROM webhook_delivery
  WHERE id = $1::bigint
    AND (status IN ('delivered', 'failed', 'cancelled') OR (status = 'queued' AND failures > 0))
  FOR NO KEY UPDATE SKIP LOCKED)
