-- What makes loading slow and is made faster afterwards: foreign keys, then indexes that no constraint needs. Each with
-- the command that drops it and the one that makes it again. Those of a partitioned table are also those of its partitions.
-- params: none
-- never null: restore
SELECT remove, restore FROM (
  SELECT 1 AS step, format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS remove,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS restore
  FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace
  UNION ALL
  SELECT 2, format('DROP INDEX %s', indexrelid::regclass),
    regexp_replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE relnamespace = 'public'::regnamespace AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
) AS listed
ORDER BY step, remove
