-- Deletes retries of deliveries that were dropped with their month.
-- params: none
DELETE FROM webhook_retry AS retry
WHERE delivery_id < coalesce((SELECT min(id) FROM webhook_delivery), 9223372036854775807)
  AND NOT EXISTS (SELECT FROM webhook_delivery WHERE id = retry.delivery_id)
