-- name: claimTable :exec
-- Claims the upkeep of a table that was not cleared within the interval, unless another process has it.
-- params: table, now, clearedBefore, leaseUntil
INSERT INTO upkeep AS stored (table_name, lease_until) VALUES ($1, $4)
ON CONFLICT (table_name) DO UPDATE SET lease_until = excluded.lease_until
WHERE (stored.lease_until IS NULL OR stored.lease_until <= $2 OR stored.lease_until > $4)
  AND (stored.finished_at IS NULL OR stored.finished_at <= $3 OR stored.finished_at > $2)
RETURNING 1 AS claimed;

-- name: dropPartition :exec
-- params: name
SELECT drop_partition($1);

-- name: endClaim :exec
-- Gives the table's upkeep back; finished is null when it is not done.
-- params: table, finishedAt?, oldestAt?
UPDATE upkeep SET lease_until = NULL, finished_at = coalesce($2, finished_at), oldest_at = CASE WHEN $2 IS NULL THEN oldest_at ELSE $3 END
WHERE table_name = $1;

-- name: listMonths :many
-- The months of a partitioned table, the oldest first; with a time, only months that ended by then.
-- params: table, before?
SELECT inhrelid::regclass::text AS name
FROM pg_inherits
JOIN pg_class ON pg_class.oid = inhrelid
CROSS JOIN LATERAL (SELECT to_date(substring(relname FROM '_(\d{4}_\d\d)$'), 'YYYY_MM')::timestamp AS month) AS named
WHERE inhparent = $1::text::regclass
  AND coalesce(month + interval '1 month' <= $2::timestamptz AT TIME ZONE 'UTC', $2 IS NULL AND month IS NOT NULL)
ORDER BY month;

-- name: makePartitions :one
-- params: table, now
-- never null: made
SELECT make_partitions($1::text::regclass, $2::timestamptz) AS made;

-- name: renewClaim :exec
-- params: table, leaseUntil
UPDATE upkeep SET lease_until = $2 WHERE table_name = $1;

-- name: tableSizes :many
-- Size, estimated rows and upkeep of tables with their partitions, indexes and large values. The rows of feeds' versions
-- are in the schema published.
-- params: tables
SELECT kept.name AS table, sizes.bytes, sizes.rows, upkeep.finished_at AS "finishedAt", upkeep.oldest_at AS "oldestAt"
FROM unnest($1::text[]) AS kept (name)
CROSS JOIN LATERAL (
  SELECT coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)::bigint AS bytes,
    coalesce(sum(greatest(pg_class.reltuples, 0)), 0)::bigint AS rows
  FROM pg_class
  WHERE pg_class.oid = to_regclass(kept.name)
    OR pg_class.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass(kept.name))
    OR kept.name = 'feed_version' AND pg_class.relkind = 'r' AND relnamespace = 'published'::regnamespace) AS sizes
LEFT JOIN upkeep ON upkeep.table_name = kept.name;

-- name: waitBriefly :exec
-- A statement that waits for a lock ends after this time: readers and writers queue behind it.
SET LOCAL lock_timeout = '200ms';
