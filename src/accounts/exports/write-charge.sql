-- params: accountId, month, content, charged, delivered, chargedByState, deliveredByState
UPDATE export_charge
SET charged_rows = $4, delivered_rows = $5, charged_by_state = $6, delivered_by_state = $7
WHERE account_id = $1 AND month = $2 AND content = $3
