-- One row if the account has a test delivery.
-- params: accountId
SELECT FROM webhook_delivery WHERE account_id = $1 AND is_test LIMIT 1
