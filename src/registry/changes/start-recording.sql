-- Remembers since when fields are compared with their state before. A field keeps its first time.
-- params: source, fields, since
INSERT INTO recorded_field (source, field, since)
SELECT $1, field, $3::timestamptz FROM unnest($2::text[]) AS field
ON CONFLICT DO NOTHING
