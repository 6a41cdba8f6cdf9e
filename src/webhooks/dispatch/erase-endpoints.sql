-- Erases deleted endpoints that have no deliveries left.
-- params: deletedBefore
DELETE FROM webhook_endpoint AS endpoint
WHERE deleted_at <= $1 AND NOT EXISTS (SELECT FROM webhook_delivery WHERE endpoint_id = endpoint.id)
