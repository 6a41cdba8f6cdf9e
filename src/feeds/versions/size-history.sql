-- The rows of these feeds by as-of day: of the last day up to `since`, and of every later one.
-- params: feeds, since
SELECT feed_code AS feed, as_of AS "asOf", row_count AS rows
FROM feed_size
WHERE feed_code = ANY ($1)
  AND as_of >= coalesce((SELECT max(as_of) FROM feed_size AS earlier
                         WHERE earlier.feed_code = feed_size.feed_code AND earlier.as_of <= $2), $2)
ORDER BY feed_code, as_of
