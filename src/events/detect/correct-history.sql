-- Corrections in Motus AuthHist: a row is gone, and a new row of the same authority gives the same change another day,
-- or the same day another reason. Such a new row makes no event (corrected_row). The event of the old row is corrected
-- (corrected_event).
-- params: none
-- after: ../../registry/authorities/open-gone-history.sql
CREATE TEMP TABLE correction ON COMMIT DROP AS
SELECT DISTINCT ON (gone.row_id)
  gone.docket, gone.authority_class, gone.usdot, gone.status, gone.meaning, gone.changed_on,
  come.row_id AS come_row, come.changed_on AS come_on, come.reason AS come_reason,
  come.meaning = gone.meaning AND come.status = gone.status AS says_another_day
FROM gone_history AS gone
JOIN motus_history AS come ON come.docket = gone.docket AND come.authority_class = gone.authority_class
  AND coalesce(come.usdot = gone.usdot, true) AND come.row_id IN (SELECT row_id FROM new_authhist)
  AND (come.meaning = gone.meaning AND come.status = gone.status OR come.changed_on = gone.changed_on)
WHERE NOT EXISTS (
  SELECT FROM motus_history AS same
  WHERE same.docket = gone.docket AND same.authority_class = gone.authority_class AND same.status = gone.status
    AND same.meaning = gone.meaning AND same.changed_on IS NOT DISTINCT FROM gone.changed_on
    AND coalesce(same.usdot = gone.usdot, true))
ORDER BY gone.row_id, come.meaning = gone.meaning AND come.status = gone.status DESC,
  abs(come.changed_on - gone.changed_on), come.row_id;

CREATE TEMP TABLE corrected_event ON COMMIT DROP AS
SELECT DISTINCT ON (event.id) event.id, correction.docket, correction.come_row, correction.come_on AS occurred_on,
  correction.come_on AS effective_on, correction.come_reason AS reason
FROM correction
JOIN event ON event.docket IS NOT DISTINCT FROM shown_docket(correction.docket)
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
ORDER BY event.id, correction.says_another_day DESC, correction.come_row;

CREATE TEMP TABLE corrected_row ON COMMIT DROP AS
SELECT come_row AS row_id FROM correction WHERE says_another_day
UNION
SELECT come_row FROM corrected_event
