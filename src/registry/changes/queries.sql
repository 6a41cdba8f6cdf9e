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
