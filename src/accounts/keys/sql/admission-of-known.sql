-- name: admissionOfKnown :many
-- Counts requests of keys that an earlier admission read, and charges rows that a request is known to get. It returns a row
-- for each number n (from 1) of a key whose `state` is still the one that was read: nothing that admission reads has
-- changed since. The others are not counted. All rows of an account are charged or none; if none, the requests go their
-- usual way and are charged there.
-- params: states, keyIds, accountIds, minute, month
-- params: requests, rows, requestsPerMinute, rowsPerMonth, elsewhere
-- plan: once
WITH
-- include: withoutWaiting
usable AS MATERIALIZED (
    SELECT known.* FROM commit_mode,
        unnest($1::text[], $2::text[], $3::int[], $6::int[], $7::bigint[], $8::int[], $9::bigint[], $10::int[])
            WITH ORDINALITY
            AS known (state, key_id, account_id, requests, rows, requests_per_minute, rows_per_month, elsewhere, n)
    WHERE known.state = (SELECT state FROM admission_state)
),
-- include: counted
, charged AS (
    INSERT INTO usage_month AS stored (account_id, month, api_rows, export_rows, quota_rows)
    SELECT account_id, $5::date, sum(rows), 0, sum(rows)
    FROM usable JOIN counted USING (key_id)
    WHERE rows > 0 AND used <= requests_per_minute
    GROUP BY account_id HAVING sum(rows) <= min(rows_per_month) ORDER BY account_id
    ON CONFLICT (account_id, month) DO UPDATE SET
        api_rows = stored.api_rows + excluded.api_rows,
        quota_rows = stored.quota_rows + excluded.quota_rows
    WHERE stored.quota_rows + excluded.quota_rows <=
        (SELECT min(rows_per_month) FROM usable WHERE usable.account_id = excluded.account_id)
    RETURNING account_id, quota_rows
)
SELECT usable.n::int AS n, counted.minute, counted.used, counted.elsewhere AS used_elsewhere,
       charged.account_id IS NOT NULL AND rows > 0 AND counted.used <= requests_per_minute AS is_charged,
       -- The rows of the month with those charged here, for which it is not read again.
       coalesce(charged.quota_rows,
                (SELECT quota_rows FROM usage_month WHERE usage_month.account_id = usable.account_id AND month = $5), 0)
           AS quota_used
FROM usable
JOIN counted USING (key_id)
LEFT JOIN charged USING (account_id);
