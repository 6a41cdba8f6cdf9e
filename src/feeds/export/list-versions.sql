-- params: none
SELECT id FROM feed_version
