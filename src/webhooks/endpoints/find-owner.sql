-- params: endpointId
SELECT account_id FROM webhook_endpoint WHERE id = $1::bigint
