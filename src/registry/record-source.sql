-- params: dataset, rows, newestRowOn?, profile, importedAt
INSERT INTO source (dataset, rows, newest_row_on, profile, imported_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (dataset) DO UPDATE SET rows = excluded.rows, newest_row_on = excluded.newest_row_on,
  profile = excluded.profile, imported_at = excluded.imported_at
