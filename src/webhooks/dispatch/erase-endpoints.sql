-- Erases deleted endpoints that have no deliveries left, with what is kept about their queue.
-- params: deletedBefore
WITH erased AS (
  DELETE FROM webhook_endpoint AS endpoint
  WHERE deleted_at <= $1 AND NOT EXISTS (SELECT FROM webhook_delivery WHERE endpoint_id = endpoint.id)
  RETURNING id
),
progress AS (DELETE FROM webhook_progress WHERE endpoint_id IN (SELECT id FROM erased))
DELETE FROM webhook_cancellation WHERE endpoint_id IN (SELECT id FROM erased)
