-- Records the rows of the version that readers get from now on, under its as-of day. Later days belong to versions that
-- readers no longer get.
-- params: feed, asOf, rows
WITH later AS (DELETE FROM feed_size WHERE feed_code = $1 AND as_of > $2)
INSERT INTO feed_size (feed_code, as_of, row_count) VALUES ($1, $2, $3)
ON CONFLICT (feed_code, as_of) DO UPDATE SET row_count = excluded.row_count
