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
ORDER BY change.ordinal LIMIT $3
