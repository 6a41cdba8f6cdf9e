-- The partitions of a table that are a whole month before a time, with the last day of the month.
-- params: table, before
SELECT inhrelid::regclass::text AS name, (month + interval '1 month' - interval '1 day')::date AS last_day
FROM pg_inherits
JOIN pg_class ON pg_class.oid = inhrelid
CROSS JOIN LATERAL (SELECT to_date(substring(relname FROM '_(\d{4}_\d\d)$'), 'YYYY_MM')::timestamp AS month) AS named
WHERE inhparent = $1::text::regclass AND month + interval '1 month' <= $2::timestamptz AT TIME ZONE 'UTC'
ORDER BY month
