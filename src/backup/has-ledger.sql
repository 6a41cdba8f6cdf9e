-- Whether the database was made by this program, and whether it has any table.
-- params: none
SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS ours,
  EXISTS (
    SELECT FROM pg_class JOIN pg_namespace AS namespace ON namespace.oid = relnamespace
    WHERE relkind IN ('r', 'p', 'v', 'm') AND nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')) AS used
