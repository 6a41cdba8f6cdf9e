-- params: none
SELECT feed_code AS feed, version_id AS id FROM feed_current ORDER BY feed_code
