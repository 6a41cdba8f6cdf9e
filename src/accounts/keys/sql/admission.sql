-- name: admission :many
-- Reads the presented keys (known), with their account, its plan and its rows of the month, and counts their requests in
-- the current minute (counted). It reads what is served too, so that a request that reads a feed needs no second statement.
-- `state` is what admissionOfKnown compares. Requests of a key with networks are counted only if it is known (`isSorted`) which
-- of them came from elsewhere.
-- params: keyIds, secretHashes, requests, minute, month, now, elsewhere, isSorted
-- never null: requests, elsewhere
-- plan: once
WITH
-- include: withoutWaiting
-- A key may have two secrets for a time, which share its minute.
-- Only a caller with the secret learns anything about a key, even that it is revoked. Comparing digests need not take
-- constant time: nobody can choose a guess so that its digest comes near to a stored one.
known AS (
    SELECT presented.key_id, presented.secret_hash, presented.requests, presented.elsewhere,
           presented.is_sorted OR coalesce(cardinality(api_key.allowed_networks), 0) = 0 AS is_sorted,
           api_key.revoked_at IS NOT NULL AS is_revoked,
           valid.until AS valid_until, (valid.until <= $6::timestamptz) IS TRUE AS is_expired,
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
    FROM commit_mode, unnest($1::text[], $2::bytea[], $3::int[], $7::int[], $8::boolean[])
            AS presented (key_id, secret_hash, requests, elsewhere, is_sorted)
    JOIN api_key ON api_key.id = presented.key_id
        AND presented.secret_hash IN (api_key.secret_hash, api_key.previous_secret_hash)
    CROSS JOIN LATERAL (SELECT least(api_key.expires_at,
        CASE WHEN presented.secret_hash <> api_key.secret_hash THEN api_key.previous_valid_until END)) AS valid (until)
    JOIN account ON account.id = api_key.account_id
    JOIN plan ON plan.code = account.plan_code
),
usable AS (SELECT key_id, requests, elsewhere FROM known WHERE is_sorted AND NOT (is_revoked OR is_expired)),
-- include: counted
-- The versions that readers are pointed to and the state of the removal list, as src/feeds/versions reads them.
SELECT known.*, counted.minute, counted.used, counted.elsewhere AS used_elsewhere, admission_state.state,
       json_build_object('listState', removal_list_state.state, 'versions', (
           SELECT json_agg(json_build_array(feed_version.feed_code, id, as_of, row_count, published_at::text,
                                            list_state, columns_hash)
                           ORDER BY feed_version.feed_code)
           FROM feed_current JOIN feed_version ON id = version_id))::text AS served,
       coalesce((SELECT quota_rows FROM usage_month WHERE usage_month.account_id = known.account_id AND month = $5), 0)
           AS quota_used
FROM known
CROSS JOIN admission_state
CROSS JOIN removal_list_state
LEFT JOIN counted USING (key_id);
