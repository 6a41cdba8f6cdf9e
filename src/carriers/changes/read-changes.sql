-- The recorded changes of a carrier that may be shown, newest first.
-- params: usdot, category?, since?, limit
-- typed: category ChangeCategory from ../../registry/changes/recorded-fields.ts
-- typed: item Record<string, string | null>
SELECT id, category, field, docket, item, old_value, new_value, registry_on, as_of, seen_at, source, run_id
FROM visible_carrier_change
WHERE usdot = $1 AND ($2::text IS NULL OR category = $2) AND ($3::timestamptz IS NULL OR seen_at >= $3)
ORDER BY id DESC
LIMIT $4
