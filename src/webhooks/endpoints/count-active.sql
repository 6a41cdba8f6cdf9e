-- params: accountId
SELECT count(*) AS count FROM webhook_endpoint WHERE account_id = $1 AND active
