-- Every table whose rows are kept, with its definition. Unlogged tables hold only what a crash may forget. The ledger of
-- migrations is written by those who migrate. A partitioned table is listed as its partitions, which get constraints and
-- indexes from it.
-- params: none
-- never null: columns
-- typed: columns TableColumns from ./backup-format.ts
-- typed: partition_of PartitionOf from ./backup-format.ts
SELECT
  format('%I.%I', namespace.nspname, class.relname) AS name,
  (SELECT json_agg(json_build_object(
      'name', quote_ident(attname), 'type', format_type(atttypid, atttypmod), 'notNull', attnotnull,
      'storage', CASE WHEN attstorage <> typstorage THEN attstorage END, 'isGenerated', attgenerated <> '') ORDER BY attnum)
   FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
   WHERE attrelid = class.oid AND attnum > 0 AND NOT attisdropped) AS columns,
  ARRAY (
    SELECT format('CONSTRAINT %I %s', conname, pg_get_constraintdef(pg_constraint.oid)) FROM pg_constraint
    WHERE conrelid = class.oid AND contype IN ('p', 'u', 'c') AND NOT class.relispartition ORDER BY conname) AS constraints,
  ARRAY (
    SELECT pg_get_indexdef(indexrelid) FROM pg_index
    WHERE indrelid = class.oid AND NOT class.relispartition AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
    ORDER BY indexrelid::regclass::text) AS indexes,
  class.reloptions AS options,
  (SELECT json_build_object('table', parent.oid::regclass::text, 'bound', pg_get_expr(class.relpartbound, class.oid))
   FROM pg_inherits JOIN pg_class AS parent ON parent.oid = inhparent
   WHERE inhrelid = class.oid AND class.relispartition) AS partition_of
FROM pg_class AS class
JOIN pg_namespace AS namespace ON namespace.oid = class.relnamespace
WHERE class.relkind = 'r' AND class.relpersistence = 'p'
  AND namespace.nspname IN ('public', 'partitions', 'published', 'staging') AND class.relname <> '_prisma_migrations'
ORDER BY 1
