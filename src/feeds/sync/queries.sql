-- name: blankedAmong :many
-- The contacts among these that are on the removal list now, each with the list's number since then; and, without a number,
-- those that requests in force name, which hide no record.
-- params: contacts
SELECT value, number FROM removal_list_contact WHERE value = ANY ($1::text[])
UNION ALL SELECT value, NULL FROM removal_list_named_contact WHERE value = ANY ($1);

-- name: changedAmong :many
-- The records among these that a step of the way changes.
-- params: recordIds, firstStep, lastStep, since
SELECT DISTINCT record_id AS "recordId" FROM feed_change
WHERE record_id = ANY ($1::text[]) AND step_id BETWEEN $2 AND $3 AND taken_at >= $4;

-- name: isLostNumber :one
-- Whether the removal list has forgotten the state with that number.
-- params: number
SELECT lost_numbers @> $1::bigint AS "isLost" FROM removal_list_state;

-- name: listPublications :many
-- The publications of a feed since a time, newest first, of steps before one if it is given. None that the feed began anew
-- after: no way leads from it to the newest version.
-- params: feed, since, before?, most
-- typed: cause StepCause from ../publish/step.ts
-- typed: states StepStates from ./steps.ts
SELECT id, from_version AS "fromVersion", to_version AS "toVersion", as_of AS "asOf", published_at AS "publishedAt",
  cause, states,
  (SELECT max(back.taken_at) FROM feed_step AS back
   WHERE back.feed_code = $1 AND back.cause = 'rollback' AND back.from_version = feed_step.to_version) AS "rolledBackAt"
FROM feed_step
WHERE feed_code = $1 AND taken_at >= $2 AND ($3::integer IS NULL OR id < $3) AND cause <> 'rollback'
  AND NOT EXISTS (
    SELECT FROM feed_step AS anew
    WHERE anew.feed_code = $1 AND anew.from_version IS NULL AND anew.id > (
      SELECT max(arrival.id) FROM feed_step AS arrival
      WHERE arrival.feed_code = $1 AND arrival.to_version = feed_step.to_version))
ORDER BY id DESC LIMIT $4;

-- name: listSteps :many
-- The steps of a feed's readers since a time, oldest first.
-- params: feed, since
SELECT id, from_version AS "fromVersion", to_version AS "toVersion", as_of AS "asOf", published_at AS "publishedAt",
  taken_at AS "takenAt", list_number AS "listNumber"
FROM feed_step WHERE feed_code = $1 AND taken_at >= $2 ORDER BY id;

-- name: readChanges :many
-- The changes of one step, from an ordinal on, of records that no later step of the way changes. Each with the record
-- before the way: null if the way's first change of the record adds it.
-- params: step, after, most, firstStep, lastStep, since
SELECT change.ordinal, change.record_id AS "recordId", change.usdot, change.reason, first.before
FROM feed_change AS change
CROSS JOIN LATERAL (
  SELECT before FROM feed_change AS earlier
  WHERE earlier.record_id = change.record_id AND earlier.step_id BETWEEN $4 AND change.step_id AND earlier.taken_at >= $6
  ORDER BY earlier.step_id LIMIT 1
) AS first
WHERE change.step_id = $1 AND change.ordinal > $2 AND change.taken_at >= $6
  AND NOT EXISTS (
    SELECT FROM feed_change AS later
    WHERE later.record_id = change.record_id AND later.step_id > change.step_id AND later.step_id <= $5
      AND later.taken_at >= $6)
ORDER BY change.ordinal LIMIT $3;

-- name: returnedSince :many
-- What was taken off the removal list since a number and a time, with the number since which it had been on it: businesses
-- and contacts.
-- params: number, since
SELECT usdot, contact, hidden_number AS "hiddenNumber" FROM removal_list_shown_again
WHERE number > $1 AND shown_at >= $2;
