-- name: accountsNearQuota :many
-- The accounts that have used at least so many percent of the month's rows, the fullest first. A plan without rows has none to use.
-- Each row says how many they are in all.
-- params: month, percent, most
SELECT account.id, account.name, usage_month.quota_rows AS used, plan.rows_per_month AS limit, (count(*) OVER ())::int AS all
FROM usage_month
JOIN account ON account.id = account_id
JOIN plan ON plan.code = plan_code
WHERE usage_month.month = $1 AND usage_month.quota_rows * 100 >= plan.rows_per_month * $2 AND plan.rows_per_month > 0
ORDER BY usage_month.quota_rows::float8 / plan.rows_per_month DESC, account.id LIMIT $3;

-- name: charge :one?
-- Charges rows to an account's month, all or none: returns no row if the quota does not have them.
-- It is one statement, because with a separate read concurrent requests would all see the same rows left.
-- The commit does not wait for the disk, which an import keeps busy. A crash of the database server loses the charges of
-- its last half second, in the customer's favour. A crash of this process loses none.
-- params: accountId, month, apiRows, exportRows, limit
-- plan: once
WITH commit_mode AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
INSERT INTO usage_month AS stored (account_id, month, api_rows, export_rows, quota_rows)
SELECT $1::int, $2::date, $3::bigint, $4::bigint, $3::bigint + $4::bigint
FROM commit_mode
WHERE $3::bigint + $4::bigint <= $5::bigint
ON CONFLICT (account_id, month) DO UPDATE SET
    api_rows = stored.api_rows + excluded.api_rows,
    export_rows = stored.export_rows + excluded.export_rows,
    quota_rows = stored.quota_rows + excluded.quota_rows
WHERE stored.quota_rows + excluded.quota_rows <= $5::bigint
RETURNING quota_rows;

-- name: countPreview :one
-- Counts a preview. The day never goes back: a process whose clock is behind counts in the day that others began.
-- params: accountId, day
INSERT INTO preview_day AS stored (account_id, day, used) VALUES ($1, $2, 1)
ON CONFLICT (account_id) DO UPDATE SET
    day = greatest(stored.day, excluded.day),
    used = CASE WHEN stored.day < excluded.day THEN 0 ELSE stored.used END + 1
RETURNING used;

-- name: quotaUsed :one?
-- params: accountId, month
SELECT quota_rows AS used FROM usage_month WHERE account_id = $1 AND month = $2;

-- name: quotaWarnings :many
-- The accounts among these that have used at least so many percent of the month's rows, as accountsNearQuota.
-- params: accountIds, month, percent
SELECT account.id AS "accountId", account.name,
       usage_month.quota_rows AS used, plan.rows_per_month AS limit
FROM account
JOIN plan ON plan.code = plan_code
JOIN usage_month ON usage_month.account_id = account.id AND usage_month.month = $2
WHERE account.id = ANY ($1::int[]) AND usage_month.quota_rows * 100 >= plan.rows_per_month * $3 AND plan.rows_per_month > 0;

-- name: refundExport :exec
-- params: accountId, month, rows
UPDATE usage_month SET export_rows = export_rows - $3, quota_rows = quota_rows - $3
WHERE account_id = $1 AND month = $2;

-- name: usageByDay :many
-- params: accountId, today, days, dashboardName
SELECT day, key_id AS "keyId", coalesce(api_key.name, $4) AS "keyName",
       api_requests AS requests, api_errors AS errors, api_refused AS refused, api_rows AS "apiRows", export_rows AS "exportRows"
FROM usage_day
LEFT JOIN api_key ON api_key.id = key_id
WHERE usage_day.account_id = $1 AND day > $2::date - $3::int AND day <= $2::date
ORDER BY day, key_id;

-- name: usageByMonth :many
-- params: accountId, month
SELECT month, api_requests AS requests, api_rows AS "apiRows", export_rows AS "exportRows", quota_rows AS "quotaRows"
FROM usage_month
WHERE account_id = $1 AND month > $2::date - interval '12 months' AND month <= $2::date
ORDER BY month DESC;

-- name: usageCounts :exec
-- Adds counts to their day and key, and requests to the months of their accounts, always in one order, so that two
-- processes never deadlock. A refund is negative, on its own day. The commit does not wait for the disk, because charges
-- wait for its lock on the month's row. Counts of an account whose data were erased meanwhile are dropped: it has no people.
-- params: accountIds, days, keyIds, requests, errors, refused, apiRows, exportRows
WITH commit_mode AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
counted AS MATERIALIZED (
    SELECT counted.*
    FROM commit_mode, unnest($1::int[], $2::date[], $3::text[],
            $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
        AS counted (account_id, day, key_id, api_requests, api_errors, api_refused, api_rows, export_rows)
    WHERE NOT EXISTS (
        SELECT FROM account WHERE account.id = counted.account_id AND closed_at IS NOT NULL
            AND NOT EXISTS (SELECT FROM account_person AS person WHERE person.account_id = account.id))
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
    export_rows = stored.export_rows + excluded.export_rows;

-- name: usageReports :many
-- The rows and requests of accounts in a month, and by day and key in the last days up to `today`.
-- params: accountIds, month, today, days, dashboardName
-- plan: once
-- typed: days DayUsage[] from ./usage.ts
SELECT asked.account_id AS "accountId",
       coalesce(used.api_requests, 0) AS requests, coalesce(used.api_rows, 0) AS "apiRows",
       coalesce(used.export_rows, 0) AS "exportRows", coalesce(used.quota_rows, 0) AS "quotaRows",
       (SELECT coalesce(json_agg(json_build_object(
                   'day', day, 'keyId', key_id, 'keyName', coalesce(api_key.name, $5),
                   'requests', api_requests, 'errors', api_errors, 'refused', api_refused,
                   'apiRows', api_rows, 'exportRows', export_rows) ORDER BY day, key_id), '[]')
        FROM usage_day
        LEFT JOIN api_key ON api_key.id = key_id
        WHERE usage_day.account_id = asked.account_id AND day > (SELECT $3::date - $4::int) AND day <= (SELECT $3::date)) AS days
FROM unnest((SELECT $1::int[])) AS asked (account_id)
LEFT JOIN usage_month AS used ON used.account_id = asked.account_id AND used.month = (SELECT $2::date);
