-- name: accountCaller :one?
-- An account with its plan, in the form that admission gives a key.
-- params: accountId
-- typed: feeds Record<string, string[] | null>
SELECT account.id AS account_id, account.licence_ref, account.suspension,
       plan.code AS plan_code, plan.name AS plan_name, plan.api_access, plan.requests_per_minute, plan.rows_per_month,
       plan.concurrent_exports, plan.watched_carriers,
       (SELECT coalesce(max(number), 0) FROM (
            SELECT max(number) FROM account_plan_change WHERE account_id = account.id
            UNION ALL SELECT max(number) FROM plan_feeds_change
            WHERE plan_feeds_change.plan_code = plan.code) AS change (number)) AS feeds_number,
       (SELECT json_object_agg(feed_code, CASE WHEN NOT all_regions THEN regions END)
        FROM plan_feed WHERE plan_feed.plan_code = plan.code) AS feeds
FROM account
JOIN plan ON plan.code = account.plan_code
WHERE account.id = $1;

-- name: findUsableKey :exec
-- One row if any key of any account can be used.
SELECT FROM api_key WHERE revoked_at IS NULL LIMIT 1;

-- name: keyLastUsed :exec
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
UPDATE api_key SET last_used_at = used.used_at FROM used WHERE api_key.id = used.id;

-- name: insertKey :exec
-- params: id, accountId, name, secretHash, now, madeBy?
INSERT INTO api_key (id, account_id, name, secret_hash, created_at, made_by) VALUES ($1, $2, $3, $4, $5, $6);

-- name: lockKey :one?
-- A key, of one account or of any, until the transaction ends.
-- params: id, accountId?
SELECT account_id AS "accountId", name, revoked_at IS NOT NULL AS "isRevoked" FROM api_key
WHERE id = $1 AND ($2::int IS NULL OR account_id = $2) FOR NO KEY UPDATE;

-- name: revokeKey :exec
-- params: id, now
UPDATE api_key SET revoked_at = $2 WHERE id = $1;
