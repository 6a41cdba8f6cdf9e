-- params: none
SELECT feed_code AS feed, rolled_back_at AS at FROM feed_current WHERE rolled_back_at IS NOT NULL
