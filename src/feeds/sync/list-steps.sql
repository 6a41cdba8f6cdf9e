-- The steps of a feed's readers since a time, oldest first.
-- params: feed, since
-- typed: cause StepCause from ../publish/step.ts
-- typed: states StepStates from ./steps.ts
SELECT id, from_version AS "fromVersion", to_version AS "toVersion", as_of AS "asOf", published_at AS "publishedAt",
  taken_at AS "takenAt", cause, states
FROM feed_step WHERE feed_code = $1 AND taken_at >= $2 ORDER BY id
