-- The publications of a feed since a time, newest first, of steps before one if it is given.
-- params: feed, since, before?, most
-- typed: cause StepCause from ../publish/step.ts
-- typed: states StepStates from ./steps.ts
SELECT id, from_version AS "fromVersion", to_version AS "toVersion", as_of AS "asOf", published_at AS "publishedAt",
  cause, states
FROM feed_step
WHERE feed_code = $1 AND taken_at >= $2 AND ($3::integer IS NULL OR id < $3) AND cause <> 'rollback'
ORDER BY id DESC LIMIT $4
