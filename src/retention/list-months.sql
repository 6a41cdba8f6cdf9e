-- The months of a partitioned table, the oldest first; with a time, only those that ended by then.
-- params: table, before?
SELECT inhrelid::regclass::text AS name
FROM pg_inherits
JOIN pg_class ON pg_class.oid = inhrelid
CROSS JOIN LATERAL (SELECT to_date(substring(relname FROM '_(\d{4}_\d\d)$'), 'YYYY_MM')::timestamp AS month) AS named
WHERE inhparent = $1::text::regclass
  AND coalesce(month + interval '1 month' <= $2::timestamptz AT TIME ZONE 'UTC', $2 IS NULL AND month IS NOT NULL)
ORDER BY month
