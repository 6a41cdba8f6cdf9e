-- Gives a row when the account has this endpoint.
-- params: endpointId, accountId
SELECT FROM webhook_endpoint WHERE id = $1::bigint AND account_id = $2 AND deleted_at IS NULL
