-- Erases deleted endpoints that have no deliveries left, with what is kept about their queue; and retries of deliveries that
-- were dropped with their month.
-- params: deletedBefore
WITH erased AS (
  DELETE FROM webhook_endpoint AS endpoint
  WHERE deleted_at <= $1 AND NOT EXISTS (SELECT FROM webhook_delivery WHERE endpoint_id = endpoint.id)
  RETURNING id
),
progress AS (DELETE FROM webhook_progress WHERE endpoint_id IN (SELECT id FROM erased)),
cancellations AS (DELETE FROM webhook_cancellation WHERE endpoint_id IN (SELECT id FROM erased))
DELETE FROM webhook_retry AS retry
WHERE delivery_id < coalesce((SELECT min(id) FROM webhook_delivery), 9223372036854775807)
  AND NOT EXISTS (SELECT FROM webhook_delivery WHERE id = retry.delivery_id)
