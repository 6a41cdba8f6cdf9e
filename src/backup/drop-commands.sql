-- Commands that delete everything in the program's schemas. What an extension owns stays.
-- params: none
SELECT command FROM (
  SELECT 1 AS step, format('DROP SCHEMA %I CASCADE', nspname) AS command
  FROM pg_namespace WHERE nspname IN ('partitions', 'published', 'staging')
  UNION ALL
  SELECT 2, format(
    'DROP %s IF EXISTS public.%I CASCADE',
    CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, relname)
  FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
    -- The column by which a table is partitioned depends on the table itself.
    AND NOT EXISTS (
      SELECT FROM pg_depend WHERE objid = pg_class.oid AND objsubid = 0 AND deptype IN ('e', 'i', 'a'))
  UNION ALL
  SELECT 3, format('DROP ROUTINE IF EXISTS %s CASCADE', pg_proc.oid::regprocedure)
  FROM pg_proc
  WHERE pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
) AS listed
ORDER BY step, command
