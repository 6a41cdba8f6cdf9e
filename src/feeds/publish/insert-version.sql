-- params: feed, asOf, fingerprint, now
INSERT INTO feed_version (feed_code, as_of, row_count, fingerprint, published_at)
VALUES ($1, $2, 0, $3, $4) RETURNING id
