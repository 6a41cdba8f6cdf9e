-- Deletes charges of months before the last: nothing refers to them. An export begun last month may still be running.
-- params: accountId, month
DELETE FROM export_charge WHERE account_id = $1 AND month < $2::date - interval '1 month'
