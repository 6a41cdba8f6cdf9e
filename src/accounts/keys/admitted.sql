-- The presented keys with their account and plan (known), whose requests it counts in the current minute (counted).
-- Its parameters: keyIds, secretHashes, requests, minute
-- The commit waits neither for the disk nor for a standby. The counts are in an unlogged table, yet such a statement writes
-- to the log when it is the first to touch a page after a checkpoint, and others wait for its lock on their key's row.
WITH commit_mode AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
presented AS (
    SELECT p.* FROM commit_mode, unnest($1::text[], $2::bytea[], $3::int[]) AS p (key_id, secret_hash, requests)
),
-- Only a caller with the secret learns anything about a key, even that it is revoked. Comparing digests need not take
-- constant time: nobody can choose a guess so that its digest comes near to a stored one.
known AS (
    SELECT presented.key_id, presented.secret_hash, presented.requests, api_key.revoked_at IS NOT NULL AS is_revoked,
           account.id AS account_id, account.licence_ref,
           plan.code AS plan_code, plan.api_access, plan.requests_per_minute, plan.rows_per_month,
           plan.concurrent_exports,
           (SELECT coalesce(max(number), 0) FROM (
                SELECT max(number) FROM account_plan_change WHERE account_id = account.id
                UNION ALL SELECT max(number) FROM plan_feeds_change
                WHERE plan_feeds_change.plan_code = plan.code) AS change (number)) AS feeds_number,
           (SELECT json_object_agg(feed_code, CASE WHEN NOT all_regions THEN regions END ORDER BY feed_code)::text
            FROM plan_feed WHERE plan_feed.plan_code = plan.code) AS feeds
    FROM presented
    JOIN api_key ON api_key.id = presented.key_id AND api_key.secret_hash = presented.secret_hash
    JOIN account ON account.id = api_key.account_id
    JOIN plan ON plan.code = account.plan_code
),
-- Ordered by key, so that two processes never deadlock. A statement that waited for another's row counts in the minute
-- that the other began. A minute further ahead was written by a wrong clock and is ignored.
counted AS (
    INSERT INTO key_minute AS stored (key_id, minute, used)
    SELECT key_id, $4::bigint, requests FROM known WHERE NOT is_revoked ORDER BY key_id
    ON CONFLICT (key_id) DO UPDATE SET
        minute = CASE WHEN stored.minute - excluded.minute IN (0, 1) THEN stored.minute ELSE excluded.minute END,
        used = CASE WHEN stored.minute - excluded.minute IN (0, 1) THEN stored.used ELSE 0 END + excluded.used
    RETURNING key_id, minute, used
)
