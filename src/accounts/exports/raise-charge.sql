-- Records how many rows of a content were charged to the account this month.
-- params: accountId, month, content, rows
UPDATE export_charge SET charged_rows = $4 WHERE account_id = $1 AND month = $2 AND content = $3
