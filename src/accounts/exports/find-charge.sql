-- The rows charged for a content so far.
-- params: accountId, month, content
SELECT charged_rows AS charged FROM export_charge WHERE account_id = $1 AND month = $2 AND content = $3
