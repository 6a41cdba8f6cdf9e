-- params: none
-- typed: feed FeedCode from ../../feeds/catalogue.ts
SELECT feed_current.feed_code AS feed, id AS version, as_of
FROM feed_current JOIN feed_version ON id = version_id
