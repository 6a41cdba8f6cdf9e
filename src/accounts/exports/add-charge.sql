-- Waits for another transaction that adds the same one.
-- params: accountId, month, content
INSERT INTO export_charge (account_id, month, content) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
