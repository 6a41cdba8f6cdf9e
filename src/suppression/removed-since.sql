-- How many businesses were removed from each feed since a time, and the rows of its current version.
-- params: since
SELECT feed_current.feed_code AS feed, coalesce(removed, 0) AS removed, row_count AS rows
FROM feed_current
JOIN feed_version ON feed_version.id = feed_current.version_id
LEFT JOIN (
  SELECT feed, count(*) AS removed
  FROM suppressed_business CROSS JOIN unnest(feeds) AS feed
  WHERE suppressed_at > $1 GROUP BY feed
) AS lately ON lately.feed = feed_current.feed_code
ORDER BY feed_current.feed_code
