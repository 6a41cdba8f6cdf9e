-- Returns the rows charged for a content so far (0 for a new one), and locks them until the transaction ends.
-- params: accountId, month, content
INSERT INTO export_charge AS stored (account_id, month, content) VALUES ($1, $2, $3)
ON CONFLICT (account_id, month, content) DO UPDATE SET charged_rows = stored.charged_rows
RETURNING charged_rows AS charged
