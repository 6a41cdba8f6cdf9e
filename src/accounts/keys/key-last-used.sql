-- Records when keys were last used, to the minute: a busy key's row is written once a minute, not once a second.
-- Rows are locked in one order, so that two processes never deadlock.
-- params: keyIds, usedAt
WITH used AS (
    SELECT api_key.id, seen.used_at
    FROM unnest($1::text[], $2::timestamptz[]) AS seen (id, used_at)
    JOIN api_key USING (id)
    WHERE api_key.last_used_at IS NULL OR api_key.last_used_at < seen.used_at - interval '1 minute'
    ORDER BY api_key.id
    FOR NO KEY UPDATE OF api_key
)
UPDATE api_key SET last_used_at = used.used_at FROM used WHERE api_key.id = used.id
