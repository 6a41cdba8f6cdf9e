-- One importer at a time writes steps, so their numbers need no sequence.
-- params: feed, fromVersion?, toVersion, asOf, publishedAt, takenAt, cause, rules, states
INSERT INTO feed_step (id, feed_code, from_version, to_version, as_of, published_at, taken_at, cause, rules, states,
  list_number)
SELECT coalesce(max(id), 0) + 1, $1, $2, $3, $4, $5, $6, $7, $8, $9::text::jsonb,
  (SELECT split_part(list_state, '.', 1)::bigint FROM feed_version WHERE id = $3)
FROM feed_step RETURNING id
