-- Forgets the charges of months long past: nobody asks for their contents again. The last month's may still be under way.
-- params: accountId, month
DELETE FROM export_charge WHERE account_id = $1 AND month < $2::date - interval '1 month'
