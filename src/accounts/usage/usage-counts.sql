-- Adds counts to their day and key, and requests to the months of their accounts, always in one order, so that two
-- processes never deadlock. A refund is negative, on its own day. The commit does not wait for the disk, because charges
-- wait for its lock on the month's row.
-- params: accountIds, days, keyIds, requests, errors, refused, apiRows, exportRows
WITH commit_mode AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
counted AS MATERIALIZED (
    SELECT counted.*
    FROM commit_mode, unnest($1::int[], $2::date[], $3::text[],
            $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
        AS counted (account_id, day, key_id, api_requests, api_errors, api_refused, api_rows, export_rows)
),
by_month AS (
    INSERT INTO usage_month AS stored (account_id, month, api_requests)
    SELECT account_id, date_trunc('month', day)::date AS month, sum(api_requests)
    FROM counted WHERE api_requests > 0 GROUP BY account_id, month ORDER BY account_id, month
    ON CONFLICT (account_id, month) DO UPDATE SET api_requests = stored.api_requests + excluded.api_requests
)
INSERT INTO usage_day AS stored (account_id, day, key_id, api_requests, api_errors, api_refused, api_rows, export_rows)
SELECT * FROM counted ORDER BY account_id, day, key_id
ON CONFLICT (account_id, day, key_id) DO UPDATE SET
    api_requests = stored.api_requests + excluded.api_requests,
    api_errors = stored.api_errors + excluded.api_errors,
    api_refused = stored.api_refused + excluded.api_refused,
    api_rows = stored.api_rows + excluded.api_rows,
    export_rows = stored.export_rows + excluded.export_rows
