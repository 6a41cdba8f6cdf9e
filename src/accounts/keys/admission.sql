-- Reads the presented keys with their account and plan, and counts their requests in the current minute.
-- params: keyIds, secretHashes, requests, minute
-- include: admitted.sql
SELECT known.*, counted.minute, counted.used - known.requests AS used_before
FROM known
LEFT JOIN counted USING (key_id)
