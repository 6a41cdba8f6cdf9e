-- params: value, isCalled
SELECT setval('feed_version_id_seq', $1, $2)
