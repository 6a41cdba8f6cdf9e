-- Locks endpoints, in one order.
-- params: endpointIds
SELECT id, active AS "isActive" FROM webhook_endpoint WHERE id = ANY ($1::int[]) ORDER BY id FOR NO KEY UPDATE
