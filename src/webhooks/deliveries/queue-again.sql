-- Queues a delivery that has ended or waits for a later retry, due now and with its whole retry schedule. No row when it is
-- due already: then it is being sent, or will be at once.
-- params: deliveryId, now
INSERT INTO webhook_retry AS waiting (delivery_id, endpoint_id, account_id, due_at, attempt)
SELECT delivery.id, delivery.endpoint_id, delivery.account_id, $2::timestamptz,
  coalesce((SELECT max(attempt) FROM webhook_result WHERE delivery_id = delivery.id), 0) + 1
FROM webhook_delivery_state AS delivery
WHERE delivery.id = $1::bigint AND (delivery.status <> 'queued' OR (delivery.is_retry AND delivery.due_at > $2))
ON CONFLICT (delivery_id) DO UPDATE SET due_at = excluded.due_at, failures = 0 WHERE waiting.due_at > excluded.due_at
