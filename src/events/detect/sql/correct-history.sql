-- name: correctHistory :exec
-- Corrections in Motus AuthHist: a row was deleted, and a new row of the same authority records the same change on
-- another day, or another change on the same day. In the first case the new row makes no event (corrected_row). If the
-- deleted row made an event, that event is corrected (corrected_event), and the new row makes none either. A row
-- about a day more than 30 days off records another change.
-- reads: deleted_history
-- makes: correction, corrected_event, corrected_row
CREATE TEMP TABLE correction ON COMMIT DROP AS
SELECT DISTINCT ON (deleted.row_id)
  deleted.docket, deleted.authority_class, deleted.usdot, deleted.status, deleted.meaning, deleted.changed_on,
  added.row_id AS added_row, added.changed_on AS added_on, added.reason AS added_reason, added.status AS added_status,
  added.meaning = deleted.meaning AND added.status = deleted.status AS is_another_day
FROM deleted_history AS deleted
JOIN motus_history AS added ON added.docket = deleted.docket AND added.authority_class = deleted.authority_class
  AND coalesce(added.usdot = deleted.usdot, true) AND added.row_id IN (SELECT row_id FROM new_authhist)
  AND (added.changed_on = deleted.changed_on OR added.meaning = deleted.meaning AND added.status = deleted.status
    AND coalesce(abs(added.changed_on - deleted.changed_on) <= 30, true))
WHERE NOT EXISTS (
  SELECT FROM motus_history AS same
  WHERE same.docket = deleted.docket AND same.authority_class = deleted.authority_class AND same.status = deleted.status
    AND same.meaning = deleted.meaning AND same.changed_on IS NOT DISTINCT FROM deleted.changed_on
    AND coalesce(same.usdot = deleted.usdot, true))
ORDER BY deleted.row_id, added.meaning = deleted.meaning AND added.status = deleted.status DESC,
  abs(added.changed_on - deleted.changed_on), added.row_id;

CREATE TEMP TABLE corrected_event ON COMMIT DROP AS
SELECT DISTINCT ON (event.id) event.id, correction.docket, correction.added_row, correction.added_on AS occurred_on,
  correction.added_on AS effective_on, correction.added_reason AS reason,
  (event.type IN ('new_authority_granted', 'reinstated')) <> (correction.added_status = 'active') AS is_reversed
FROM correction
JOIN event ON split_part(event.identity, '|', 2) = correction.docket
  AND event.authority_class = correction.authority_class
  AND event.occurred_on = correction.changed_on
  AND (correction.usdot IS NULL OR event.usdot = correction.usdot)
  AND CASE event.type
    WHEN 'new_authority_granted' THEN correction.meaning = 'grant'
    WHEN 'reinstated' THEN correction.meaning = 'reinstatement'
    WHEN 'insurance_cancellation_suspension'
      THEN correction.meaning IN ('insurance_suspension', 'security_suspension')
    WHEN 'authority_inactive' THEN correction.status IN ('inactive', 'withdrawn')
    ELSE false
  END
ORDER BY event.id, correction.is_another_day DESC, correction.added_row;

CREATE TEMP TABLE corrected_row ON COMMIT DROP AS
SELECT added_row AS row_id FROM correction WHERE is_another_day
UNION
SELECT added_row FROM corrected_event;
