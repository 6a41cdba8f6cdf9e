-- params: dataset, importedAt, unknownValues, today
UPDATE source SET imported_at = $2, changed_on = $4, profile = profile || jsonb_build_object('unknownValues', $3::jsonb)
WHERE dataset = $1
