-- Reads the presented keys with their account, its plan and its rows of the month, and counts their requests in the
-- current minute.
-- params: keyIds, secretHashes, requests, minute, month
-- include: admitted.sql
SELECT known.*, counted.minute, counted.used - known.requests AS used_before,
       coalesce((SELECT quota_rows FROM usage_month WHERE usage_month.account_id = known.account_id AND month = $5), 0)
           AS quota_used
FROM known
LEFT JOIN counted USING (key_id)
