-- The endpoints of accounts, and up to which delivery each is done.
-- params: accountIds
SELECT endpoint.id, endpoint.account_id AS "accountId", coalesce(progress.done_to, 0) AS "doneTo"
FROM webhook_endpoint AS endpoint
LEFT JOIN webhook_progress AS progress ON progress.endpoint_id = endpoint.id
WHERE endpoint.account_id = ANY ($1::int[])
ORDER BY endpoint.id
