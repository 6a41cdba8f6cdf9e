-- Gives a row when the endpoint exists and, unless null, belongs to this account.
-- params: endpointId, accountId?
SELECT FROM webhook_endpoint
WHERE id = $1::bigint AND deleted_at IS NULL AND ($2::integer IS NULL OR account_id = $2)
