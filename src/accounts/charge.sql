-- Charges rows to an account's month, all or nothing: no row comes back when they do not fit.
-- One statement, because reading what is left and then adding lets parallel requests all see the same rest.
-- $1 account, $2 month, $3 rows of JSON answers, $4 rows of exports, $5 limit.
INSERT INTO usage_month AS stored (account_id, month, api_rows, export_rows, quota_rows)
SELECT $1::int, $2::date, $3::bigint, $4::bigint, $3::bigint + $4::bigint
WHERE $3::bigint + $4::bigint <= $5::bigint
ON CONFLICT (account_id, month) DO UPDATE SET
    api_rows = stored.api_rows + excluded.api_rows,
    export_rows = stored.export_rows + excluded.export_rows,
    quota_rows = stored.quota_rows + excluded.quota_rows
WHERE stored.quota_rows + excluded.quota_rows <= $5::bigint
RETURNING quota_rows
