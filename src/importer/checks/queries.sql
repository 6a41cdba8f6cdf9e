-- name: countAffected :one
-- How many of these companies, and holders of these dockets, have an active authority: only such are in feeds.
-- params: usdots, dockets
SELECT count(DISTINCT usdot)::int AS companies FROM authority
WHERE status = 'active' AND (usdot = ANY ($1::integer[]) OR docket = ANY ($2::text[]));

-- name: findOldFiles :many
-- Files with the same bytes as a file of an import before the last one of their dataset. Files without rows do not count:
-- every daily difference of a day without changes has the same bytes.
-- params: datasets, sha256s
-- never null: asOf
SELECT dataset, sha256, max(run) AS run, max("asOf") AS "asOf"
FROM (
  SELECT file ->> 'dataset' AS dataset, file ->> 'sha256' AS sha256, id AS run, as_of AS "asOf",
    rank() OVER (PARTITION BY file ->> 'dataset' ORDER BY id DESC) AS age
  FROM import_run CROSS JOIN LATERAL jsonb_array_elements(report -> 'files') AS files (file)
  WHERE status = 'published' AND report ->> 'demoDay' IS NULL AND file ->> 'rowsRead' IS DISTINCT FROM '0'
) AS imported
WHERE (dataset, sha256) IN (SELECT * FROM unnest($1::text[], $2::text[]))
GROUP BY dataset, sha256 HAVING min(age) > 1;

-- name: lastColumnChanges :many
-- Imports of older programs, which did not count them, have none.
-- params: limit
-- never null: asOf
-- typed: changes ChangesByDataset from ../../importer/checks/check-columns.ts
SELECT as_of AS "asOf", report -> 'columnChanges' AS changes
FROM import_run WHERE status = 'published' ORDER BY id DESC LIMIT $1;

-- name: lastRuns :many
-- params: limit
-- never null: asOf
-- typed: contradictions Contradictions from ../../registry/authorities/motus-history.ts
SELECT as_of AS "asOf", report -> 'contradictions' AS contradictions,
  (SELECT coalesce(sum(value::int), 0)::int FROM jsonb_each_text(report -> 'events')) AS events
FROM import_run WHERE status = 'published' ORDER BY id DESC LIMIT $1;

-- name: lastWholeImport :one?
-- The newest import of whole files of the real registry, and the datasets of its folder.
-- typed: datasets Dataset[] from ../../registry/datasets.ts
SELECT id AS run,
  (SELECT coalesce(jsonb_agg(DISTINCT file -> 'dataset'), '[]') FROM jsonb_array_elements(report -> 'files') AS files (file))
    AS datasets
FROM import_run
WHERE status = 'published' AND report ->> 'demoDay' IS NULL AND report ->> 'isDifference' IS DISTINCT FROM 'true'
ORDER BY id DESC LIMIT 1;

-- name: lastNewRows :many
-- params: limit
-- typed: newRows NewRows from ./check-half-old.ts
SELECT report -> 'newRows' AS "newRows" FROM import_run
WHERE status = 'published' AND report -> 'newRows' IS NOT NULL
ORDER BY id DESC LIMIT $1;

-- name: countNewDockets :one
-- The dockets of the staged Motus Carrier that its last file did not have, and those of them that legacy Carrier has.
SELECT count(*)::int AS new, count(legacy.docket)::int AS legacy
FROM (SELECT DISTINCT docket FROM staging.motus_carrier EXCEPT SELECT docket FROM motus_carrier) AS added
LEFT JOIN (SELECT DISTINCT docket FROM legacy_carrier) AS legacy USING (docket);

-- name: forgetFormerRows :exec
-- Deletes the rows that went before the last imports.
-- params: dataset, runs
DELETE FROM former_row WHERE dataset = $1 AND run_id < (
  SELECT min(id) FROM (SELECT id FROM import_run WHERE status = 'published' ORDER BY id DESC LIMIT $2) AS last);

-- name: forgetAllFormerRows :exec
DELETE FROM former_row;
