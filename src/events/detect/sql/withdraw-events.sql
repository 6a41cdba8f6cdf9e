-- name: withdrawEvents :exec
-- Withdraws events whose row this import deleted, and losses of authorities that are active again although no row says
-- why. An order may be deleted once it has taken effect. An event whose row was replaced is corrected, and withdrawn only
-- if the new row says the reverse.
-- params: asOf
-- reads: new_event, recorded_event, new_correction, correction, corrected_event, corrected_row, deleted_history
-- reads: deleted_pending_revocation, authority_change
INSERT INTO new_correction (event_id, kind)
SELECT id, CASE WHEN is_reversed THEN 'withdrawn' ELSE 'changed' END FROM corrected_event
UNION ALL
SELECT event.id, 'withdrawn'
FROM event
WHERE event.id IN (
    SELECT about.id
    FROM deleted_history AS deleted
    JOIN event AS about ON split_part(about.identity, '|', 2) = deleted.docket
      AND about.authority_class = deleted.authority_class AND about.occurred_on IS NOT DISTINCT FROM deleted.changed_on
    UNION ALL
    SELECT about.id
    FROM deleted_pending_revocation AS deleted
    JOIN event AS about ON about.identity
      = concat_ws('|', 'revocation_pending', deleted.docket, deleted.authority_class, deleted.usdot, deleted.named_on)
    WHERE deleted.effective_on > $1::date
    UNION ALL
    SELECT about.id
    FROM authority_change AS change
    JOIN event AS about ON split_part(about.identity, '|', 2) = change.docket
      AND about.authority_class = change.authority_class AND about.usdot = change.usdot
    WHERE about.type = 'authority_inactive'
      AND change.status_before IN ('inactive', 'withdrawn') AND change.status_after IN ('active', 'pending'))
  AND event.id NOT IN (SELECT id FROM corrected_event)
  AND event.data ->> 'correction' IS DISTINCT FROM 'withdrawn'
  AND NOT
-- include: isOnRecord
  AND (event.type <> 'authority_inactive' OR EXISTS (
      SELECT FROM authority
      WHERE authority.docket = split_part(event.identity, '|', 2) AND authority.usdot = event.usdot
        AND authority.authority_class = event.authority_class AND authority.status IN ('active', 'pending'))
    AND NOT EXISTS (
-- include: revival
    ));
