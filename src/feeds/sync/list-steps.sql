-- The steps of a feed's readers since a time, oldest first.
-- params: feed, since
SELECT id, from_version AS "fromVersion", to_version AS "toVersion", as_of AS "asOf", published_at AS "publishedAt",
  taken_at AS "takenAt", list_number AS "listNumber"
FROM feed_step WHERE feed_code = $1 AND taken_at >= $2 ORDER BY id
