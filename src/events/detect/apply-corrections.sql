-- Corrects events to the registry's current rows. They keep their ids, and data.corrected_at is the time of the
-- correction.
-- params: now
-- after: correct-history.sql
WITH new_value AS (
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
  occurred_on = new_value.occurred_on,
  data = new_value.data,
  -- Another event may already have the new identity: then this one keeps its own.
  identity = CASE
    WHEN EXISTS (SELECT FROM event AS other WHERE other.identity = new_value.identity AND other.id <> new_value.id)
      OR (SELECT count(*) FROM new_value AS rival WHERE rival.identity = new_value.identity) > 1
    THEN event.identity
    ELSE new_value.identity
  END
FROM new_value WHERE new_value.id = event.id
