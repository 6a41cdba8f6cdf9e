-- The address of an endpoint and the owner who is told about it.
-- params: endpointId
SELECT endpoint.url, account.email
FROM webhook_endpoint AS endpoint JOIN account ON account.id = endpoint.account_id
WHERE endpoint.id = $1::int
