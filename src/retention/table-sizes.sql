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
LEFT JOIN upkeep ON upkeep.table_name = kept.name
