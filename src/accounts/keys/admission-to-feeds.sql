-- Like admission.sql, for requests that read a feed. It also reads what is served now, so that they need no second
-- statement. And it charges rows that a request is known to get, if nothing that its answer depends on has changed: the
-- key may send it, and `feeds` and `served` are still the given texts. All rows of an account or none; if none, the
-- requests go their usual way and are charged there.
-- params: keyIds, secretHashes, requests, minute, month
-- params: rowsOfKeys, feedsOfKeys, servedOfKeys
-- include: admitted.sql
,
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
    SELECT key_id, account_id, asked.rows, rows_per_month
    FROM known
    JOIN unnest($1::text[], $2::bytea[], $6::bigint[], $7::text[], $8::text[])
        AS asked (key_id, secret_hash, rows, feeds, served) USING (key_id, secret_hash)
    JOIN counted USING (key_id)
    JOIN served USING (served)
    WHERE asked.rows > 0 AND api_access AND used <= requests_per_minute AND asked.feeds = known.feeds
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
SELECT known.*, counted.minute, counted.used - known.requests AS used_before,
       served.served, charged.account_id IS NOT NULL AS is_charged,
       -- The rows of the month with those charged here, for which it is not read again.
       coalesce(charged.quota_rows,
                (SELECT quota_rows FROM usage_month WHERE usage_month.account_id = known.account_id AND month = $5), 0)
           AS quota_used
FROM known
CROSS JOIN served
LEFT JOIN counted USING (key_id)
LEFT JOIN chargeable USING (key_id)
LEFT JOIN charged ON charged.account_id = chargeable.account_id
