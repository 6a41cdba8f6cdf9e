-- name: listIndexes :many
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
WHERE indrelid = $1::text::regclass ORDER BY conname, indexrelid;

-- name: openTouchedDockets :exec
-- Dockets whose authorities may have changed, the rows of Motus AuthHist that this import inserted and deleted, the
-- companies that it added to the census, and the keys of putRemovalKeys.
-- makes: touched_docket, new_authhist, deleted_authhist, new_company, removal_key
CREATE TEMP TABLE touched_docket (docket text) ON COMMIT DROP;
CREATE TEMP TABLE new_authhist (row_id uuid PRIMARY KEY) ON COMMIT DROP;
CREATE TEMP TABLE deleted_authhist (LIKE motus_authhist) ON COMMIT DROP;
CREATE TEMP TABLE new_company (usdot integer PRIMARY KEY) ON COMMIT DROP;
CREATE TEMP TABLE removal_key (docket text, usdot integer, op_auth_type text) ON COMMIT DROP;

-- name: putRemovalKeys :exec
-- The keys that a daily difference names without values: it removes the rows stored under them. They replace those of
-- another difference.
-- params: dockets[?], usdots[?], opAuthTypes
-- reads: touched_docket, new_authhist, deleted_authhist, removal_key
WITH of_others AS (DELETE FROM removal_key)
INSERT INTO removal_key (docket, usdot, op_auth_type) SELECT * FROM unnest($1::text[], $2::integer[], $3::text[]);

-- name: recordAllHistory :exec
-- reads: touched_docket, new_authhist, deleted_authhist, removal_key
INSERT INTO new_authhist (row_id) SELECT row_id FROM motus_authhist;
