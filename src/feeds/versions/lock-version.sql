-- params: id
SELECT FROM feed_version WHERE id = $1 FOR NO KEY UPDATE
