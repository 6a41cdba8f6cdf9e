-- params: except, now
WITH withdrawn AS (DELETE FROM feed_current WHERE feed_code <> ALL ($1) RETURNING version_id)
UPDATE feed_version SET replaced_at = $2 WHERE id IN (SELECT version_id FROM withdrawn)
