-- Erases some deliveries of deleted endpoints, with their results. Gives how many.
-- params: deletedBefore, most
WITH batch AS (
  SELECT delivery.id
  FROM webhook_endpoint AS endpoint
  CROSS JOIN LATERAL (
    SELECT id FROM webhook_delivery
    WHERE endpoint_id = endpoint.id
    ORDER BY id LIMIT $2) AS delivery
  WHERE endpoint.deleted_at <= $1
  LIMIT $2
),
results AS (DELETE FROM webhook_result WHERE delivery_id IN (SELECT id FROM batch)),
retries AS (DELETE FROM webhook_retry WHERE delivery_id IN (SELECT id FROM batch)),
erased AS (DELETE FROM webhook_delivery WHERE id IN (SELECT id FROM batch) RETURNING 1)
SELECT count(*) AS erased FROM erased
