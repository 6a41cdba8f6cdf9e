-- How to drop and to create again each index of a table.
-- params: table
-- never null: statement, removal
SELECT
  CASE WHEN conname IS NULL THEN pg_get_indexdef(indexrelid)
    ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', indrelid::regclass, conname,
      pg_get_constraintdef(pg_constraint.oid)) END AS statement,
  CASE WHEN conname IS NULL THEN format('DROP INDEX %s', indexrelid::regclass)
    ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', indrelid::regclass, conname) END AS removal
FROM pg_index LEFT JOIN pg_constraint ON conindid = indexrelid AND conrelid = indrelid
WHERE indrelid = $1::text::regclass ORDER BY conname, indexrelid
