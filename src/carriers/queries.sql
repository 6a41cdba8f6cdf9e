-- name: findDocket :many
-- The USDOT numbers whose authorities have a docket number. As a rule a docket has one; a few were handed on.
-- params: docket
SELECT DISTINCT usdot FROM authority WHERE docket = $1 ORDER BY usdot LIMIT 10;

-- name: findHolders :many
-- The USDOT numbers whose authorities have each of these docket numbers, ascending.
-- params: dockets
-- plan: once
SELECT docket, array_agg(DISTINCT usdot) AS usdots FROM authority WHERE docket = ANY ($1::text[]) GROUP BY docket;

-- name: readChanges :many
-- The recorded changes of a carrier that may be shown, newest first.
-- params: usdot, category?, since?, limit
-- typed: category ChangeCategory from ../registry/changes/recorded-fields.ts
-- typed: item Record<string, string | null>
SELECT id, category, field, docket, item, old_value, new_value, registry_on, as_of, seen_at, source, run_id
FROM visible_carrier_change
WHERE usdot = $1 AND ($2::text IS NULL OR category = $2) AND ($3::timestamptz IS NULL OR seen_at >= $3)
ORDER BY id DESC
LIMIT $4;
