-- Gives a row when there is such an endpoint, of this account unless null.
-- params: endpointId, accountId?
SELECT FROM webhook_endpoint
WHERE id = $1::bigint AND deleted_at IS NULL AND ($2::integer IS NULL OR account_id = $2)
