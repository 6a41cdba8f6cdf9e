-- params: dataset, importedAt, unknownValues
UPDATE source SET imported_at = $2, profile = profile || jsonb_build_object('unknownValues', $3::jsonb)
WHERE dataset = $1
