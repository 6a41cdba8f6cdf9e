-- params: feed, to, now
UPDATE feed_current SET version_id = $2, rolled_back_at = $3 WHERE feed_code = $1
