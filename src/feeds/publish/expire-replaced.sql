-- params: none
UPDATE feed_version SET replaced_at = published_at - interval '1 year' WHERE replaced_at IS NOT NULL
