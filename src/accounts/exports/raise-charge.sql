-- Notes for how many rows of a content the account has been charged this month.
-- params: accountId, month, content, rows
UPDATE export_charge SET charged_rows = $4 WHERE account_id = $1 AND month = $2 AND content = $3
