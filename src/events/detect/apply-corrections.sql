-- Puts right what events have told: they keep their ids, say what the registry says now, and since when. $1: now.
WITH put_right AS (
  SELECT event.id, corrected.occurred_on,
    concat_ws('|', event.type, corrected.docket, event.authority_class, event.usdot,
      coalesce(corrected.occurred_on, corrected.effective_on)) AS identity,
    event.data || jsonb_strip_nulls(jsonb_build_object(
      'reason', corrected.reason, 'effective_date', corrected.effective_on, 'status_after', authority.status))
      || jsonb_build_object('corrected_at', to_char($1::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      AS data
  FROM corrected_event AS corrected
  JOIN event USING (id)
  LEFT JOIN authority ON authority.docket = corrected.docket AND authority.authority_class = event.authority_class
    AND authority.usdot = event.usdot
)
UPDATE event SET
  occurred_on = put_right.occurred_on,
  data = put_right.data,
  -- Another event may have told of that day: this one keeps what it is known by.
  identity = CASE
    WHEN EXISTS (SELECT FROM event AS other WHERE other.identity = put_right.identity AND other.id <> put_right.id)
      OR (SELECT count(*) FROM put_right AS rival WHERE rival.identity = put_right.identity) > 1
    THEN event.identity
    ELSE put_right.identity
  END
FROM put_right WHERE put_right.id = event.id
