-- name: admission :many
-- Reads the presented keys (known), with their account, its plan and its rows of the month, and counts their requests in
-- the current minute (counted). It reads what is served too, so that a request that reads a feed needs no second statement.
-- And it charges rows that a request is known to get, if nothing that its answer depends on has changed: the key may
-- send it, and `feeds` and `served` are still the given texts. All rows of an account or none; if none, the requests go
-- their usual way and are charged there.
-- params: keyIds, secretHashes, requests, minute, month
-- params: rowsOfKeys, feedsOfKeys, servedOfKeys, now
-- never null: requests
-- plan: once
-- The commit waits neither for the disk nor for a standby. The counts are in an unlogged table, yet such a statement writes
-- to the log when it is the first to touch a page after a checkpoint, and others wait for its lock on their key's row.
WITH commit_mode AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
presented AS (
    SELECT p.* FROM commit_mode, unnest($1::text[], $2::bytea[], $3::int[]) AS p (key_id, secret_hash, requests)
),
-- A key may have two secrets for a time, which share its minute.
-- Only a caller with the secret learns anything about a key, even that it is revoked. Comparing digests need not take
-- constant time: nobody can choose a guess so that its digest comes near to a stored one.
known AS (
    SELECT presented.key_id, presented.secret_hash, presented.requests, api_key.revoked_at IS NOT NULL AS is_revoked,
           valid.until AS valid_until, (valid.until <= $9::timestamptz) IS TRUE AS is_expired,
           presented.secret_hash <> api_key.secret_hash AS is_previous,
           api_key.scopes, api_key.allowed_networks,
           account.id AS account_id, account.licence_ref, account.suspension,
           plan.code AS plan_code, plan.api_access, plan.requests_per_minute, plan.rows_per_month,
           plan.concurrent_exports, plan.watched_carriers,
           (SELECT coalesce(max(number), 0) FROM (
                SELECT max(number) FROM account_plan_change WHERE account_id = account.id
                UNION ALL SELECT max(number) FROM plan_feeds_change
                WHERE plan_feeds_change.plan_code = plan.code) AS change (number)) AS feeds_number,
           (SELECT json_object_agg(feed_code, CASE WHEN NOT all_regions THEN regions END ORDER BY feed_code)::text
            FROM plan_feed WHERE plan_feed.plan_code = plan.code) AS feeds
    FROM presented
    JOIN api_key ON api_key.id = presented.key_id
        AND presented.secret_hash IN (api_key.secret_hash, api_key.previous_secret_hash)
    CROSS JOIN LATERAL (SELECT least(api_key.expires_at,
        CASE WHEN presented.secret_hash <> api_key.secret_hash THEN api_key.previous_valid_until END)) AS valid (until)
    JOIN account ON account.id = api_key.account_id
    JOIN plan ON plan.code = account.plan_code
),
-- Ordered by key, so that two processes never deadlock. A statement that waited for another's row counts in the minute
-- that the other began. A minute further ahead was written by a wrong clock and is ignored.
counted AS (
    INSERT INTO key_minute AS stored (key_id, minute, used)
    SELECT key_id, $4::bigint, sum(requests)::int FROM known WHERE NOT (is_revoked OR is_expired)
    GROUP BY key_id ORDER BY key_id
    ON CONFLICT (key_id) DO UPDATE SET
        minute = CASE WHEN stored.minute - excluded.minute IN (0, 1) THEN stored.minute ELSE excluded.minute END,
        used = CASE WHEN stored.minute - excluded.minute IN (0, 1) THEN stored.used ELSE 0 END + excluded.used
    RETURNING key_id, minute, used
),
-- The versions that readers are pointed to and the state of the removal list, as src/feeds/versions reads them.
served AS MATERIALIZED (
    SELECT json_build_object('listState', removal_list_state.state, 'versions', (
               SELECT json_agg(json_build_array(feed_version.feed_code, id, as_of, row_count, published_at::text,
                                                list_state, columns_hash)
                               ORDER BY feed_version.feed_code)
               FROM feed_current JOIN feed_version ON id = version_id))::text AS served
    FROM removal_list_state
),
chargeable AS (
    SELECT key_id, secret_hash, account_id, asked.rows, rows_per_month
    FROM known
    JOIN unnest($1::text[], $2::bytea[], $6::bigint[], $7::text[], $8::text[])
        AS asked (key_id, secret_hash, rows, feeds, served) USING (key_id, secret_hash)
    JOIN counted USING (key_id)
    JOIN served USING (served)
    WHERE asked.rows > 0 AND NOT is_expired AND suspension IS NULL AND api_access AND used <= requests_per_minute AND asked.feeds = known.feeds
),
charged AS (
    INSERT INTO usage_month AS stored (account_id, month, api_rows, export_rows, quota_rows)
    SELECT account_id, $5::date, sum(rows), 0, sum(rows)
    FROM chargeable
    GROUP BY account_id HAVING sum(rows) <= min(rows_per_month) ORDER BY account_id
    ON CONFLICT (account_id, month) DO UPDATE SET
        api_rows = stored.api_rows + excluded.api_rows,
        quota_rows = stored.quota_rows + excluded.quota_rows
    WHERE stored.quota_rows + excluded.quota_rows <=
        (SELECT min(rows_per_month) FROM chargeable WHERE chargeable.account_id = excluded.account_id)
    RETURNING account_id, quota_rows
)
SELECT known.*, counted.minute, counted.used,
       served.served, charged.account_id IS NOT NULL AS is_charged,
       -- The rows of the month with those charged here, for which it is not read again.
       coalesce(charged.quota_rows,
                (SELECT quota_rows FROM usage_month WHERE usage_month.account_id = known.account_id AND month = $5), 0)
           AS quota_used
FROM known
CROSS JOIN served
LEFT JOIN counted USING (key_id)
LEFT JOIN chargeable USING (key_id, secret_hash)
LEFT JOIN charged ON charged.account_id = chargeable.account_id;
