-- Keeps as new only the rows that say something that no earlier row said, in whatever words.
-- params: none
-- after: open-gone-history.sql
DELETE FROM new_authhist USING motus_history AS come
WHERE new_authhist.row_id = come.row_id AND (
  EXISTS (
    SELECT FROM gone_history AS before
    WHERE
-- include: says-the-same.sql
  )
  OR EXISTS (
    SELECT FROM motus_history AS before
    WHERE
-- include: says-the-same.sql
      AND before.row_id <> come.row_id AND before.row_id NOT IN (SELECT row_id FROM new_authhist)))
