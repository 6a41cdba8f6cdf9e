-- One row if an export of the content is running.
-- params: accountId, content
SELECT FROM export_slot WHERE account_id = $1 AND content = $2 AND lease_until > now() LIMIT 1
