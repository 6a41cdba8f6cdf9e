-- Lowers the charge to the rows that were delivered.
-- params: accountId, month, content
UPDATE export_charge SET charged_rows = delivered_rows WHERE account_id = $1 AND month = $2 AND content = $3
