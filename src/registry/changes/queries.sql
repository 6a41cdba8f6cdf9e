-- name: keepChangeIds :exec
-- No id that was given up to now is ever given again.
SELECT keep_change_ids();

-- name: listRecordedFields :many
-- params: source
SELECT field FROM recorded_field WHERE source = $1;

-- name: listRecording :many
-- Since when each field is recorded.
SELECT source, field, since FROM recorded_field ORDER BY since;

-- name: startRecording :exec
-- Remembers since when fields are compared with their state before. A field keeps its first time.
-- params: source, fields, since
INSERT INTO recorded_field (source, field, since)
SELECT $1, field, $3::timestamptz FROM unnest($2::text[]) AS field
ON CONFLICT DO NOTHING;

-- name: recordLinks :exec
-- params: links, asOf, seenAt
INSERT INTO carrier_change (id, usdot, item, category, field, old_value, new_value, registry_on, as_of, seen_at, source)
SELECT (SELECT last_change_id()) + row_number() OVER (ORDER BY usdot, other, kind), usdot,
  jsonb_build_object('usdot', other, 'value', value), 'connection', kind, to_jsonb(before), to_jsonb(after), "registryOn", $2::date,
  $3::timestamptz, source
FROM jsonb_to_recordset($1::jsonb) AS link (
  usdot integer, other integer, kind text, value text, before text, after text, "registryOn" date, source text);
