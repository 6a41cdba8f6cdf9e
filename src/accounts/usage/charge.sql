-- Charges rows to an account's month, all or none: returns no row if the quota does not have them.
-- It is one statement, because with a separate read concurrent requests would all see the same rows left.
-- The commit does not wait for the disk, which an import keeps busy. A crash of the database server loses the charges of
-- its last half second, in the customer's favour. A crash of this process loses none.
-- params: accountId, month, apiRows, exportRows, limit
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
RETURNING quota_rows
