-- The served version of a feed. `isRolledBack` if an operator pointed readers back to it, so that it is older than the
-- registry.
-- params: feed
SELECT id, row_count AS "rowCount", as_of AS "asOf", fingerprint,
  rolled_back_at IS NOT NULL AS "isRolledBack"
FROM feed_current JOIN feed_version ON id = version_id WHERE feed_current.feed_code = $1
