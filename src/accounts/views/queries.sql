-- name: saveView :one?
-- Saves a view of the account, which is locked, or replaces the one of its name. No row when it has `most` views already.
-- params: accountId, feedCode, name, search, now, most
INSERT INTO saved_view AS stored (account_id, feed_code, name, search, saved_at)
SELECT $1::int, $2::text, $3::text, $4::text, $5::timestamptz
WHERE (SELECT count(*) FROM saved_view WHERE account_id = $1 AND (feed_code, name) IS DISTINCT FROM ($2, $3)) < $6::int
ON CONFLICT (account_id, feed_code, name) DO UPDATE SET search = excluded.search, saved_at = excluded.saved_at
RETURNING id;
