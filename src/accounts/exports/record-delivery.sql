-- Records how many rows an export delivered. Returns how many of the charged rows no export has delivered.
-- params: accountId, month, content, deliveredRows
UPDATE export_charge SET delivered_rows = greatest(delivered_rows, $4)
WHERE account_id = $1 AND month = $2 AND content = $3
RETURNING charged_rows - delivered_rows AS undelivered
