-- params: none
DELETE FROM feed_size
