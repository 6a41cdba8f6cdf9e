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

-- part: withoutWaiting
-- The commit waits neither for the disk nor for a standby. The counts are in an unlogged table, yet such a statement writes
-- to the log when it is the first to touch a page after a checkpoint, and others wait for its lock on their key's row.
commit_mode AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),

-- part: counted
-- Counts the requests of `usable` keys in the minute $4, and apart those from elsewhere than a key's networks, so that a
-- stranger with the key takes nothing from its owner. Ordered by key, so that two processes never deadlock. A statement
-- that waited for another's row counts in the minute that the other began. A minute further ahead was written by a wrong
-- clock and is ignored.
counted AS (
    INSERT INTO key_minute AS stored (key_id, minute, used, elsewhere)
    SELECT key_id, $4::bigint, sum(requests)::int, sum(elsewhere)::int FROM usable GROUP BY key_id ORDER BY key_id
    ON CONFLICT (key_id) DO UPDATE SET
        minute = CASE WHEN stored.minute - excluded.minute IN (0, 1) THEN stored.minute ELSE excluded.minute END,
        used = CASE WHEN stored.minute - excluded.minute IN (0, 1) THEN stored.used ELSE 0 END + excluded.used,
        elsewhere = CASE WHEN stored.minute - excluded.minute IN (0, 1) THEN stored.elsewhere ELSE 0 END
            + excluded.elsewhere
    RETURNING key_id, minute, used, elsewhere
)

-- name: findUsableKey :exec
-- One row if any key of any account can be used.
-- params: now
SELECT FROM api_key WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1) LIMIT 1;

-- name: accountOfUsableKey :one?
-- The account of a key that can be used with this secret.
-- params: id, secretHash, now
SELECT account_id AS "accountId" FROM api_key
WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
  AND (secret_hash = $2 OR previous_secret_hash = $2 AND previous_valid_until > $3);

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

-- name: insertKey :one?
-- No row when the account, which is locked, has `most` keys in use already.
-- params: id, accountId, name, secretHash, now, scopes, networks, expiresAt?, toldDays?, most, madeBy?
INSERT INTO api_key (id, account_id, name, secret_hash, created_at, scopes, allowed_networks, expires_at, expiry_told_days,
  made_by)
SELECT $1::text, $2::int, $3::text, $4::bytea, $5::timestamptz, $6::text[], $7::text[], $8::timestamptz, $9::smallint,
  $11::text
WHERE (SELECT count(*) FROM api_key
       WHERE account_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $5)) < $10::int
RETURNING id, account_id AS "accountId", name, created_at AS "createdAt", revoked_at AS "revokedAt",
  last_used_at AS "lastUsedAt", scopes, allowed_networks AS "allowedNetworks", expires_at AS "expiresAt",
  previous_valid_until AS "previousValidUntil", made_by AS "madeBy";

-- name: lockKey :one?
-- A key of the account, or of any, which nobody else changes until the transaction ends.
-- params: id, accountId?
SELECT id, account_id AS "accountId", name, created_at AS "createdAt", revoked_at AS "revokedAt",
  last_used_at AS "lastUsedAt", scopes, allowed_networks AS "allowedNetworks", expires_at AS "expiresAt",
  previous_valid_until AS "previousValidUntil", made_by AS "madeBy", secret_hash AS "secretHash"
FROM api_key WHERE id = $1 AND ($2::int IS NULL OR account_id = $2) FOR NO KEY UPDATE;

-- name: revokeKey :exec
-- params: id, now
UPDATE api_key SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL;

-- name: rotateKey :exec
-- params: id, secretHash, previousUntil
UPDATE api_key SET secret_hash = $2, previous_secret_hash = secret_hash, previous_valid_until = $3 WHERE id = $1;

-- name: keysNearEnd :many
-- Keys that end before a time and whose account was not yet told that they have ended.
-- params: before
SELECT id, account_id AS "accountId", name, expires_at AS "expiresAt", expiry_told_days AS "toldDays"
FROM api_key WHERE revoked_at IS NULL AND expires_at <= $1 AND coalesce(expiry_told_days, 1) > 0
ORDER BY expires_at, id;

-- name: tellOfEnd :exec
-- Changes nothing when another process has told of these days or fewer.
-- params: id, days
UPDATE api_key SET expiry_told_days = $2
WHERE id = $1 AND revoked_at IS NULL AND (expiry_told_days IS NULL OR expiry_told_days > $2);
