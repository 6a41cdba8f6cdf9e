-- params: accountId, month
SELECT quota_rows AS used FROM usage_month WHERE account_id = $1 AND month = $2
