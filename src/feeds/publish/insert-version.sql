-- params: feed, asOf, fingerprint, now, listState, columnsHash
INSERT INTO feed_version (feed_code, as_of, row_count, fingerprint, published_at, list_state, columns_hash)
VALUES ($1, $2, 0, $3, $4, $5, $6) RETURNING id
