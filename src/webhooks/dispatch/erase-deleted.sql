-- Erases some deliveries of deleted endpoints, with their attempts. Gives how many.
-- params: deletedBefore, most
WITH deleted AS (
  SELECT id FROM webhook_endpoint WHERE deleted_at <= $1
),
batch AS (
  SELECT delivery.id
  FROM deleted
  CROSS JOIN LATERAL (
    SELECT id FROM webhook_delivery
    WHERE endpoint_id = deleted.id
    ORDER BY id LIMIT $2
    FOR UPDATE SKIP LOCKED) AS delivery
  LIMIT $2
),
erased AS (
  DELETE FROM webhook_delivery USING batch WHERE webhook_delivery.id = batch.id RETURNING 1
)
SELECT count(*) AS erased FROM erased
