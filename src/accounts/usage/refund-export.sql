-- params: accountId, month, rows
UPDATE usage_month SET export_rows = export_rows - $3, quota_rows = quota_rows - $3
WHERE account_id = $1 AND month = $2
