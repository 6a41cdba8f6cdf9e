-- name: confirmEvents :exec
-- Corrects withdrawn events that the registry has again: their row is back, or this import still finds what a rollback
-- took back. Their reason is that of the row.
-- reads: new_event, recorded_event, new_correction
WITH confirmed AS (
  INSERT INTO new_correction (event_id, kind)
  SELECT event.id, 'changed'
  FROM event
  WHERE event.data ->> 'correction' = 'withdrawn' AND event.id NOT IN (SELECT event_id FROM new_correction) AND (
-- include: isOnRecord
    OR event.type = 'authority_inactive' AND (
      EXISTS (
-- include: revival
      )
      OR EXISTS (
        SELECT FROM authority
        WHERE authority.docket = split_part(event.identity, '|', 2) AND authority.usdot = event.usdot
          AND authority.authority_class = event.authority_class AND authority.status IN ('inactive', 'withdrawn'))
        AND (SELECT is_rollback FROM event_correction WHERE event_id = event.id ORDER BY id DESC LIMIT 1)))
  RETURNING event_id
)
UPDATE event SET data = event.data || jsonb_build_object('reason', row.reason, 'status_after', row.status)
FROM confirmed
CROSS JOIN LATERAL (
  SELECT history.reason, history.status
  FROM event AS about
  JOIN motus_history AS history ON history.docket = split_part(about.identity, '|', 2)
    AND history.authority_class = about.authority_class AND history.changed_on = about.occurred_on
    AND coalesce(history.usdot = about.usdot, true)
    AND history.meaning = CASE about.type WHEN 'new_authority_granted' THEN 'grant' WHEN 'reinstated' THEN 'reinstatement' END
  WHERE about.id = confirmed.event_id
  ORDER BY history.row_id LIMIT 1) AS row
WHERE event.id = confirmed.event_id;
