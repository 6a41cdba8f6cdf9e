-- params: dataset, rows, newestRowOn?, profile, importedAt, today
INSERT INTO source AS stored (dataset, rows, newest_row_on, profile, imported_at, changed_on)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (dataset) DO UPDATE SET rows = excluded.rows, newest_row_on = excluded.newest_row_on,
  profile = excluded.profile, imported_at = excluded.imported_at,
  -- The same bytes again are no news.
  changed_on = CASE WHEN stored.profile ->> 'sha256' = excluded.profile ->> 'sha256' THEN stored.changed_on
    ELSE excluded.changed_on END
