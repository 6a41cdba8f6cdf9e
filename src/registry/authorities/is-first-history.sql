-- Whether every stored history row is new: then none can repeat an earlier one.
-- params: none
-- after: open-deleted-history.sql
SELECT (SELECT count(*) FROM new_authhist) = (SELECT count(*) FROM motus_authhist)
  AND NOT EXISTS (SELECT FROM deleted_history) AS "isFirst"
