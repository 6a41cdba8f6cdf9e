-- Reports of older programs, which did not count rows by source, are left out.
-- params: versions
-- typed: published PublishedFeed from ../feeds/publish/publish.ts
SELECT published FROM import_run
CROSS JOIN LATERAL jsonb_array_elements(report->'feeds') WITH ORDINALITY AS feeds (published, index)
WHERE status = 'published' AND (published->>'isNew')::boolean
  AND (published->>'version')::integer = ANY ($1) AND published->'rowsBySource' IS NOT NULL
ORDER BY index
