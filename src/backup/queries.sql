-- name: appliedMigrations :many
SELECT migration_name AS name, checksum FROM _prisma_migrations
WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name;

-- name: countSessions :one
-- Connections of other processes of this program to this database.
-- params: application
SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1;

-- name: dropCommands :many
-- Commands that delete everything in the program's schemas. What an extension owns stays.
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
ORDER BY step, command;

-- name: hasLedger :one
-- Whether the database was made by this program, and whether it has any table.
SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS ours,
  EXISTS (
    SELECT FROM pg_class JOIN pg_namespace AS namespace ON namespace.oid = relnamespace
    WHERE relkind IN ('r', 'p', 'v', 'm') AND nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')) AS used;

-- name: listGrants :many
-- The rights that others than the owner have in the program's schemas: each as the command that gives it, with the object
-- that must exist for it. Rights on what is made later come first. Then a table of public, made anew, loses those that it
-- got by them: it may have had fewer.
-- never null: command
SELECT object, command FROM (
  SELECT 1 AS step, nspname::text AS object, format(
    'GRANT %s ON SCHEMA %I TO %s%s', privilege_type, nspname, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
    CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) AS command
  FROM pg_namespace, aclexplode(nspacl)
  WHERE nspname IN ('partitions', 'published', 'staging') AND grantee <> nspowner
  UNION ALL
  SELECT 1, nspname, format(
    'ALTER DEFAULT PRIVILEGES FOR ROLE %s IN SCHEMA %I GRANT %s ON %s TO %s%s', defaclrole::regrole, nspname, privilege_type,
    CASE defaclobjtype WHEN 'r' THEN 'TABLES' WHEN 'S' THEN 'SEQUENCES' WHEN 'f' THEN 'ROUTINES' ELSE 'TYPES' END,
    CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
    CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
  FROM pg_default_acl JOIN pg_namespace ON pg_namespace.oid = defaclnamespace, aclexplode(defaclacl)
  WHERE nspname IN ('partitions', 'published', 'staging') AND grantee <> defaclrole AND pg_has_role(defaclrole, 'MEMBER')
  UNION ALL
  SELECT 2, format('%I.%I', 'public', relname), format(
    'REVOKE ALL ON %s public.%I FROM %s', CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, relname,
    CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END)
  FROM pg_class,
    (SELECT DISTINCT grantee FROM pg_default_acl, aclexplode(defaclacl)
     WHERE defaclnamespace = 'public'::regnamespace AND grantee <> defaclrole) AS later
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
  UNION ALL
  SELECT 3, format('%I.%I', nspname, relname), format(
    'GRANT %s ON %s %I.%I TO %s%s', privilege_type, CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, nspname, relname,
    CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
    CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace, aclexplode(relacl)
  WHERE nspname IN ('public', 'partitions', 'published', 'staging') AND grantee <> relowner
  UNION ALL
  SELECT 3, format('%I.%I.%I', nspname, relname, attname), format(
    'GRANT %s (%I) ON %I.%I TO %s%s', privilege_type, attname, nspname, relname,
    CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
    CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace,
    aclexplode(attacl)
  WHERE nspname IN ('public', 'partitions', 'published', 'staging') AND grantee <> relowner AND NOT attisdropped
) AS listed
ORDER BY step, command;

-- name: listObjects :many
-- The names of the program's schemas, of what is in them, and of columns.
SELECT nspname::text AS name FROM pg_namespace WHERE nspname IN ('partitions', 'published', 'staging')
UNION ALL
SELECT format('%I.%I', nspname, relname) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname IN ('public', 'partitions', 'published', 'staging')
UNION ALL
SELECT format('%I.%I.%I', nspname, relname, attname)
FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname IN ('public', 'partitions', 'published', 'staging') AND attnum > 0 AND NOT attisdropped;

-- name: listSequences :many
-- The sequences that were used, with the last number that each gave.
-- never null: name
SELECT format('%I.%I', schemaname, sequencename) AS name, last_value AS value
FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL
ORDER BY 1;

-- name: listTables :many
-- Every table whose rows are kept, with its definition. Unlogged tables hold only what a crash may forget. The ledger of
-- migrations is written by those who migrate. A partitioned table is listed as its partitions, which get constraints and
-- indexes from it.
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
ORDER BY 1;

-- name: prepareRestore :exec
-- Nobody else should use the database. A transaction that somebody left open ends the restore instead of delaying it.
SET LOCAL lock_timeout = '3s';
SET LOCAL maintenance_work_mem = '256MB';

-- name: setSequence :exec
-- Continues a sequence behind a number, unless it is there already. A database of an older program may lack the sequence.
-- params: name, value
SELECT setval(to_regclass($1), $2) AS value FROM pg_sequences
WHERE format('%I.%I', schemaname, sequencename)::regclass = to_regclass($1) AND coalesce(last_value, 0) < $2;

-- name: skipNumbers :many
-- Takes every sequence so much further.
-- params: numbers
-- never null: name
SELECT sequencename::text AS name,
  setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + $1::bigint) AS value
FROM pg_sequences WHERE schemaname = 'public' ORDER BY sequencename;

-- name: slowParts :many
-- What makes loading slow and is made faster afterwards: foreign keys, then indexes that no constraint needs. Each with
-- the command that drops it and the one that makes it again. Those of a partitioned table are also those of its partitions.
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
ORDER BY step, remove;
