-- name: findHolders :many
-- The USDOT numbers whose authorities have each of these docket numbers, ascending.
-- params: dockets
-- plan: once
SELECT docket, array_agg(DISTINCT usdot) AS usdots FROM authority WHERE docket = ANY ($1::text[]) GROUP BY docket;

-- name: limitChangedOn :exec
-- params: datasets, asOf
UPDATE source SET changed_on = least(changed_on, $2) WHERE dataset = ANY ($1::text[]);

-- name: listSources :many
-- typed: dataset Dataset from ./datasets.ts
SELECT dataset, rows, newest_row_on AS "newestRowOn", profile, imported_at AS "importedAt",
  changed_on AS "changedOn"
FROM source ORDER BY dataset;

-- name: listUnknownValues :many
-- never null: column, value, rows
-- typed: dataset Dataset from ./datasets.ts
SELECT dataset, columns.key AS column, met.key AS value, met.value::int AS rows
FROM source
CROSS JOIN LATERAL jsonb_each(coalesce(profile -> 'unknownValues', '{}')) AS columns
CROSS JOIN LATERAL jsonb_each_text(columns.value) AS met
ORDER BY rows DESC, dataset, "column", value;

-- name: recordDifference :exec
-- params: dataset, importedAt, unknownValues, today?
UPDATE source SET imported_at = $2, changed_on = coalesce($4, changed_on), profile = profile || jsonb_build_object('unknownValues', $3::jsonb)
WHERE dataset = $1;

-- name: recordSource :exec
-- params: dataset, rows, newestRowOn?, profile, importedAt, today
INSERT INTO source AS stored (dataset, rows, newest_row_on, profile, imported_at, changed_on)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (dataset) DO UPDATE SET rows = excluded.rows, newest_row_on = excluded.newest_row_on,
  profile = excluded.profile, imported_at = excluded.imported_at,
  -- The same bytes again are no news.
  changed_on = CASE WHEN stored.profile ->> 'sha256' = excluded.profile ->> 'sha256' THEN stored.changed_on
    ELSE excluded.changed_on END;

-- name: sourceDays :many
-- typed: dataset Dataset from ./datasets.ts
SELECT dataset, newest_row_on AS "newestRowOn", changed_on AS "changedOn" FROM source;

-- name: unknownValuesOf :one?
-- params: dataset
-- typed: known Record<string, Record<string, number>>
SELECT profile -> 'unknownValues' AS known FROM source WHERE dataset = $1;
