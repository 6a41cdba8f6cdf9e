-- Notes that the served version of a feed is replaced.
-- params: feed, now
UPDATE feed_version SET replaced_at = $2
WHERE id = (SELECT version_id FROM feed_current WHERE feed_code = $1)
