-- params: feed, id
INSERT INTO feed_current (feed_code, version_id) VALUES ($1, $2)
ON CONFLICT (feed_code) DO UPDATE SET version_id = excluded.version_id, rolled_back_at = NULL
