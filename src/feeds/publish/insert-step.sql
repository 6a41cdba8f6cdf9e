-- params: feed, fromVersion?, toVersion, asOf, publishedAt, takenAt, cause, rules, states
INSERT INTO feed_step (feed_code, from_version, to_version, as_of, published_at, taken_at, cause, rules, states)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::text::jsonb) RETURNING id
