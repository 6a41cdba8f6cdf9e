-- What the registry takes back of earlier events. An event holds while the registry has what it rests on: a row of the
-- history, an order, or the status of the authority.
CREATE FUNCTION pg_temp.event_type(status text, meaning text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN status = 'active' AND meaning = 'grant' THEN 'new_authority_granted'
    WHEN status = 'active' AND meaning = 'reinstatement' THEN 'reinstated'
    WHEN status = 'inactive' AND meaning = 'lapse' THEN 'insurance_cancellation_suspension'
  END
$$;

-- A new row corrects a deleted one: it has the same meaning on another day, or another meaning on the same day. A row about
-- a day more than 30 days off is about something else.
CREATE TEMP TABLE correction AS
SELECT DISTINCT ON (deleted.docket, deleted.authority_class, deleted.usdot, deleted.status, deleted.meaning, deleted.changed_on)
  deleted.docket, deleted.authority_class, deleted.usdot, deleted.status AS deleted_status, deleted.meaning AS deleted_meaning,
  deleted.changed_on AS deleted_on, added.status, added.meaning, added.reason, added.changed_on
FROM recount.history_before AS deleted
JOIN recount.history AS added ON added.docket = deleted.docket AND added.authority_class = deleted.authority_class
  AND added.usdot IS NOT DISTINCT FROM deleted.usdot
  AND (added.changed_on = deleted.changed_on AND (added.meaning, added.status) <> (deleted.meaning, deleted.status)
    OR added.changed_on <> deleted.changed_on AND (added.meaning, added.status) = (deleted.meaning, deleted.status)
      AND added.changed_on BETWEEN deleted.changed_on - 30 AND deleted.changed_on + 30)
WHERE NOT EXISTS (
    SELECT FROM recount.history AS remaining
    WHERE remaining.docket = deleted.docket AND remaining.authority_class = deleted.authority_class
      AND remaining.usdot IS NOT DISTINCT FROM deleted.usdot
      AND (remaining.status, remaining.meaning, remaining.changed_on) = (deleted.status, deleted.meaning, deleted.changed_on))
  AND NOT EXISTS (
    SELECT FROM recount.history_before AS earlier
    WHERE earlier.docket = added.docket AND earlier.authority_class = added.authority_class
      AND earlier.usdot IS NOT DISTINCT FROM added.usdot
      AND (earlier.status, earlier.meaning, earlier.changed_on) = (added.status, added.meaning, added.changed_on))
ORDER BY deleted.docket, deleted.authority_class, deleted.usdot, deleted.status, deleted.meaning, deleted.changed_on,
  added.meaning = deleted.meaning DESC, added.changed_on;

-- An authority that is gone under one docket and came under another is the same one: its events are about the new docket.
CREATE TEMP TABLE renumbered AS
SELECT DISTINCT ON (gone.docket, authority_class, usdot) gone.docket, authority_class, usdot, came.docket AS docket_now
FROM recount.authority AS came
JOIN recount.event AS gone USING (authority_class, usdot)
WHERE came.status <> 'missing'
  AND NOT EXISTS (
    SELECT FROM recount.authority_before AS before
    WHERE before.docket = came.docket AND before.authority_class = came.authority_class AND before.usdot = came.usdot
      AND before.status <> 'missing')
  AND NOT EXISTS (
    SELECT FROM recount.authority AS now
    WHERE now.docket = gone.docket AND now.authority_class = gone.authority_class AND now.usdot = gone.usdot
      AND now.status <> 'missing')
  -- An event may be older than its authority: then nothing is gone.
  AND EXISTS (
    SELECT FROM recount.first_seen
    WHERE first_seen.docket = gone.docket AND first_seen.authority_class = gone.authority_class
      AND first_seen.usdot = gone.usdot)
ORDER BY gone.docket, authority_class, usdot, came.docket;
UPDATE recount.event SET
  told_docket = coalesce(told_docket, event.docket),
  docket = docket_now,
  identity = replace(identity, concat('|', event.docket, '|'), concat('|', docket_now, '|'))
FROM renumbered
WHERE renumbered.docket = event.docket AND renumbered.authority_class = event.authority_class
  AND renumbered.usdot = event.usdot;
DROP TABLE renumbered;

-- What a correction adds to an event; a status that is not known is null.
CREATE FUNCTION pg_temp.corrected(data jsonb, kind text, about_docket text, about_class text, about_usdot integer)
RETURNS jsonb LANGUAGE sql AS $$
  SELECT data || jsonb_build_object('correction', kind, 'corrected_at', today, 'status_now', (
    SELECT nullif(status, 'missing') FROM recount.authority
    WHERE docket = about_docket AND authority_class = about_class AND usdot = about_usdot))
  FROM recount.import_day
$$;

-- An event whose row was corrected keeps its identity and gets the new values. It is withdrawn if the new row says the
-- reverse: no gain, or no loss.
UPDATE recount.event SET
  occurred_on = correction.changed_on,
  data = pg_temp.corrected(
    data || jsonb_strip_nulls(jsonb_build_object('reason', correction.reason, 'effective_date', correction.changed_on,
      'status_after', (
        SELECT nullif(authority.status, 'missing') FROM recount.authority
        WHERE authority.docket = event.docket AND authority.authority_class = event.authority_class
          AND authority.usdot = event.usdot))),
    CASE WHEN (type IN ('new_authority_granted', 'reinstated')) = (correction.status = 'active')
      THEN 'changed' ELSE 'withdrawn' END,
    event.docket, event.authority_class, event.usdot)
FROM correction
WHERE event.docket = correction.docket AND event.authority_class = correction.authority_class
  AND event.usdot = coalesce(correction.usdot, event.usdot) AND event.occurred_on = correction.deleted_on
  AND (event.type = pg_temp.event_type(deleted_status, deleted_meaning)
    OR event.type = 'authority_inactive' AND deleted_status IN ('inactive', 'withdrawn'));

-- What the registry has now of each other event: its order or row, and a row that tells why a loss is over. That row may
-- follow the authority's status some days later.
CREATE TEMP TABLE basis AS
SELECT identity, said.reason, said.status,
  CASE type
    WHEN 'revocation_pending' THEN EXISTS (
      SELECT FROM recount.notice
      WHERE notice.authority_class IN (event.authority_class, 'unknown') AND NOT notice.is_voluntary
        AND (notice.docket = event.docket OR notice.docket IS NULL AND notice.usdot = event.usdot
          OR event.docket = 'DOT' || notice.usdot AND (notice.docket, event.authority_class, notice.usdot) NOT IN (
            SELECT docket, authority_class, usdot FROM recount.motus))
        AND NOT EXISTS (
          SELECT FROM recount.authority AS meant
          WHERE meant.docket = event.docket AND meant.authority_class = event.authority_class
            AND meant.usdot = notice.usdot AND event.usdot <> notice.usdot)
        AND (notice.served_on = event.occurred_on OR notice.effective_on = (data ->> 'effective_date')::date))
    ELSE said.status IS NOT NULL
  END AS is_on_record,
  type = 'authority_inactive' AND EXISTS (
    SELECT FROM recount.history AS revival
    WHERE revival.docket = event.docket AND revival.authority_class = event.authority_class AND revival.status = 'active'
      AND (revival.usdot IS NULL OR revival.usdot = event.usdot)
      AND revival.changed_on - coalesce(event.occurred_on, event.detected_on - 1) BETWEEN 0 AND 7) AS is_explained
FROM recount.event
CROSS JOIN recount.import_day
LEFT JOIN LATERAL (
  SELECT history.reason, history.status FROM recount.history
  WHERE history.docket = event.docket AND history.authority_class = event.authority_class
    AND coalesce(history.usdot, event.usdot) = event.usdot AND history.changed_on = event.occurred_on
    AND CASE event.type
      WHEN 'authority_inactive' THEN history.status IN ('inactive', 'withdrawn')
      ELSE pg_temp.event_type(history.status, history.meaning) = event.type
    END
  ORDER BY history.reason LIMIT 1
) AS said ON true
WHERE event.data ->> 'corrected_at' IS DISTINCT FROM today::text;

-- An order may go once it has taken effect, and the row of a loss while the authority is not active again.
UPDATE recount.event
SET data = pg_temp.corrected(data, 'withdrawn', event.docket, event.authority_class, event.usdot)
FROM basis CROSS JOIN recount.import_day
WHERE basis.identity = event.identity AND NOT is_on_record AND NOT is_explained
  AND data ->> 'correction' IS DISTINCT FROM 'withdrawn'
  AND CASE type
    WHEN 'revocation_pending' THEN (data ->> 'effective_date')::date > registry_day
    WHEN 'authority_inactive' THEN EXISTS (
      SELECT FROM recount.authority
      WHERE authority.docket = event.docket AND authority.authority_class = event.authority_class
        AND authority.usdot = event.usdot AND authority.status IN ('active', 'pending'))
    ELSE true
  END;

-- What was withdrawn and is there again holds after all, in the words of the row.
UPDATE recount.event
SET data = pg_temp.corrected(
  CASE WHEN type IN ('new_authority_granted', 'reinstated')
    THEN data || jsonb_build_object('reason', basis.reason, 'status_after', basis.status) ELSE data END,
  'changed', event.docket, event.authority_class, event.usdot)
FROM basis CROSS JOIN recount.import_day
WHERE basis.identity = event.identity AND (is_on_record OR is_explained)
  AND data ->> 'correction' = 'withdrawn' AND data ->> 'corrected_at' <> today::text;
DROP TABLE basis;
DROP FUNCTION pg_temp.corrected;
