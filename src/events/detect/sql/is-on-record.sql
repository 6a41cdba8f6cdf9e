-- part: isOnRecord
-- Whether the registry has what the event `event` rests on: the order, the row of the history, or the status.
CASE event.type
  WHEN 'revocation_pending' THEN EXISTS (
    SELECT FROM motus_order AS notice
    JOIN (SELECT split_part(event.identity, '|', 2) AS docket, event.authority_class, event.usdot) AS authority ON
-- include: ../../registry/authorities/isNoticed
    WHERE notice.kind <> 'voluntary'
      AND (notice.served_on = event.occurred_on
        OR coalesce(notice.effective_on, notice.served_on + 30) = (event.data ->> 'effective_date')::date))
  ELSE EXISTS (
    SELECT FROM motus_history AS history
    WHERE history.docket = split_part(event.identity, '|', 2) AND history.authority_class = event.authority_class
      AND coalesce(history.usdot = event.usdot, true) AND history.changed_on IS NOT DISTINCT FROM event.occurred_on
      AND CASE event.type
        WHEN 'new_authority_granted' THEN history.meaning = 'grant' AND history.status = 'active'
        WHEN 'reinstated' THEN history.meaning = 'reinstatement' AND history.status = 'active'
        WHEN 'insurance_cancellation_suspension' THEN history.meaning IN ('insurance_suspension', 'security_suspension')
        ELSE history.status IN ('inactive', 'withdrawn')
      END)
END
