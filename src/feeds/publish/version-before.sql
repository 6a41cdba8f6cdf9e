-- The served version of a feed, and the newest one before it that was replaced after a time: null if there is none.
-- params: feed, replacedAfter
SELECT version_id AS "from", before.id AS "to", before.as_of, before.published_at,
  before.row_count AS rows
FROM feed_current
LEFT JOIN LATERAL (
  SELECT * FROM feed_version
  WHERE feed_version.feed_code = feed_current.feed_code AND id < version_id
    AND replaced_at > $2
  ORDER BY replaced_at DESC LIMIT 1
) AS before ON true
WHERE feed_current.feed_code = $1
