-- Keeps as new only the rows with a change that no earlier row records, even in other words.
-- params: none
-- after: open-deleted-history.sql
DELETE FROM new_authhist USING motus_history AS added
WHERE new_authhist.row_id = added.row_id AND (
  EXISTS (
    SELECT FROM deleted_history AS before
    WHERE
-- include: is-same-change.sql
  )
  OR EXISTS (
    SELECT FROM motus_history AS before
    WHERE
-- include: is-same-change.sql
      AND before.row_id <> added.row_id AND before.row_id NOT IN (SELECT row_id FROM new_authhist)))
