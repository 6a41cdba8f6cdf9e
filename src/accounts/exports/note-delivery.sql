-- Notes how many rows of a content an export has delivered; gives how many of those charged nobody has delivered yet.
-- params: accountId, month, content, deliveredRows
UPDATE export_charge SET delivered_rows = greatest(delivered_rows, $4)
WHERE account_id = $1 AND month = $2 AND content = $3
RETURNING charged_rows - delivered_rows AS undelivered
