-- Counts a failed delivery against its endpoint, unless that is paused.
-- params: endpointId
UPDATE webhook_endpoint AS endpoint SET failure_streak = failure_streak + 1
FROM account
WHERE endpoint.id = $1 AND endpoint.active AND account.id = endpoint.account_id
RETURNING endpoint.failure_streak AS streak, endpoint.url, account.email
