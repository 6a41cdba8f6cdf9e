-- The records among these that a step of the way changes.
-- params: recordIds, firstStep, lastStep, since
SELECT DISTINCT record_id AS "recordId" FROM feed_change
WHERE record_id = ANY ($1::text[]) AND step_id BETWEEN $2 AND $3 AND taken_at >= $4
