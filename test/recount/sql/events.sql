-- The events of the day, by comparing it with the import before (9.6). One change makes one event.
CREATE TEMP TABLE candidate AS
SELECT history.docket, usdot, op_auth_type, authority_class, status, reason, meaning, changed_on,
  pg_temp.event_type(status, meaning) AS type
FROM recount.history CROSS JOIN recount.import_day
WHERE knows_history AND NOT recount.is_carried_over(reason, changed_on)
  AND authority_class IN ('carrier_property', 'carrier_hhg', 'broker', 'freight_forwarder')
  -- A row about a day long past makes no event, even when it is new.
  AND changed_on <= registry_day AND changed_on >= registry_day - 30
  -- A future-dated row makes an event once its day is reached.
  AND (changed_on > registry_day_before OR NOT EXISTS (
    SELECT FROM recount.history_before AS before
    WHERE before.docket = history.docket AND before.authority_class = history.authority_class
      AND before.usdot IS NOT DISTINCT FROM history.usdot AND before.status = history.status
      AND before.meaning = history.meaning AND before.changed_on = history.changed_on));
DELETE FROM candidate WHERE type IS NULL;

-- The company of an authority and its facts: from the census, else from the authority's own file.
CREATE VIEW pg_temp.holder AS
SELECT authority.docket, authority.authority_class, authority.usdot,
  nullif(authority.status, 'missing') AS status, nullif(before.status, 'missing') AS status_before,
  coalesce(census.legal_name, authority.legal_name) AS legal_name,
  (SELECT state FROM recount.state_zone WHERE state = coalesce(census.state, authority.state)) AS state,
  CASE WHEN census.usdot IS NULL THEN authority.country ELSE census.country END AS country
FROM recount.authority
LEFT JOIN recount.authority_before AS before USING (docket, authority_class, usdot)
LEFT JOIN recount.census ON census.usdot = authority.usdot;

CREATE TEMP TABLE detected AS
SELECT candidate.type, holder.usdot, candidate.docket, candidate.authority_class, holder.state, holder.country,
  candidate.changed_on AS occurred_on, candidate.reason, holder.legal_name, holder.status_before, holder.status AS status_after,
  candidate.changed_on AS effective_on, candidate.op_auth_type
FROM candidate
JOIN pg_temp.holder ON holder.docket = candidate.docket AND holder.authority_class = candidate.authority_class
  AND holder.usdot = coalesce(candidate.usdot, holder.usdot)
JOIN recount.first_seen ON first_seen.docket = holder.docket AND first_seen.authority_class = holder.authority_class
  AND first_seen.usdot = holder.usdot AND candidate.changed_on >= first_seen.day
UNION ALL
-- A row whose authority is not in the files yet counts when the company is in the census.
SELECT candidate.type, candidate.usdot, candidate.docket, candidate.authority_class,
  (SELECT state FROM recount.state_zone WHERE state = census.state), census.country,
  candidate.changed_on, candidate.reason, census.legal_name, NULL, NULL, candidate.changed_on, candidate.op_auth_type
FROM candidate JOIN recount.census USING (usdot) CROSS JOIN recount.import_day
WHERE changed_on > registry_day_before AND NOT EXISTS (
  SELECT FROM recount.authority WHERE authority.docket = candidate.docket
    AND authority.authority_class = candidate.authority_class AND authority.usdot = candidate.usdot);

-- Whether an event already reported the loss: the authority was not active again since then.
CREATE FUNCTION pg_temp.is_reported(about_docket text, about_class text, about_usdot integer, types text[], until date)
RETURNS boolean LANGUAGE sql AS $$
  SELECT EXISTS (
    SELECT FROM recount.event
    WHERE docket = about_docket AND authority_class = about_class AND usdot = about_usdot AND type = ANY (types)
      AND data ->> 'correction' IS DISTINCT FROM 'withdrawn'
      AND NOT EXISTS (
        SELECT FROM recount.history AS revival
        WHERE revival.docket = about_docket AND revival.authority_class = about_class AND revival.status = 'active'
          AND (revival.usdot IS NULL OR revival.usdot = about_usdot)
          AND revival.changed_on > coalesce(event.occurred_on, event.detected_on) AND revival.changed_on <= until))
$$;

-- A row that corrects another makes no new event when an event was changed, or when its meaning is the same.
DELETE FROM detected USING correction, recount.import_day
WHERE detected.docket = correction.docket AND detected.authority_class = correction.authority_class
  AND detected.occurred_on = correction.changed_on
  AND detected.type = pg_temp.event_type(correction.status, correction.meaning)
  AND (correction.meaning = deleted_meaning OR EXISTS (
    SELECT FROM recount.event WHERE event.docket = correction.docket
      AND event.authority_class = correction.authority_class AND event.occurred_on = correction.changed_on
      AND event.data ->> 'corrected_at' = today::text));

-- The authority is active by another type of its class: nothing was lost. A type that was suspended and reinstated on one
-- day makes both events.
DELETE FROM detected
WHERE type = 'insurance_cancellation_suspension' AND status_after = 'active' AND NOT EXISTS (
  SELECT FROM recount.history AS revival
  WHERE revival.docket = detected.docket AND revival.authority_class = detected.authority_class
    AND (revival.usdot IS NULL OR revival.usdot = detected.usdot)
    AND recount.words(revival.op_auth_type) = recount.words(detected.op_auth_type)
    AND revival.status = 'active' AND revival.changed_on = detected.occurred_on);

DELETE FROM detected USING recount.import_day
WHERE type = 'insurance_cancellation_suspension' AND (
  -- The suspension was cured,
  EXISTS (
    SELECT FROM recount.history AS revival
    WHERE revival.docket = detected.docket AND revival.authority_class = detected.authority_class
      AND (revival.usdot IS NULL OR revival.usdot = detected.usdot)
      AND revival.status = 'active' AND revival.changed_on > detected.occurred_on AND revival.changed_on <= registry_day)
  -- was reported before,
  OR pg_temp.is_reported(docket, authority_class, usdot, '{insurance_cancellation_suspension,authority_inactive}', occurred_on)
  -- or this is the second row of one loss.
  OR EXISTS (
    SELECT FROM detected AS first
    WHERE first.type = detected.type AND first.docket = detected.docket AND first.usdot = detected.usdot
      AND first.authority_class = detected.authority_class
      AND (first.occurred_on, first.reason) < (detected.occurred_on, detected.reason)));

CREATE TEMP TABLE new_event AS
SELECT type, usdot, docket, authority_class, state, occurred_on, 'authority_history' AS source_dataset,
  'registry_record' AS verify_method, legal_name, reason, status_before, status_after, effective_on, country,
  concat_ws('|', type, docket, authority_class, usdot, occurred_on) AS identity
FROM detected;

INSERT INTO new_event
SELECT DISTINCT ON (docket, authority_class, usdot, pending.day)
  'revocation_pending', usdot, docket, authority_class, state, served_on, 'revocation_suspension_notice', 'registry_record',
  legal_name, order_type, status_before, status, effective_on, country,
  concat_ws('|', 'revocation_pending', docket, authority_class, usdot, pending.day)
FROM recount.pending
JOIN pg_temp.holder USING (docket, authority_class, usdot)
JOIN recount.first_seen USING (docket, authority_class, usdot)
CROSS JOIN recount.import_day
WHERE knows_notices AND source = 'motus'
  AND authority_class IN ('carrier_property', 'carrier_hhg', 'broker', 'freight_forwarder')
  AND pending.day >= registry_day - 30 AND pending.day >= first_seen.day
  -- An order makes one event, even when it is pending again after a suspension.
  AND (docket, authority_class, usdot, pending.day)
    NOT IN (SELECT docket, authority_class, usdot, day FROM recount.seen_pending)
ORDER BY docket, authority_class, usdot, pending.day, effective_on, order_type;
INSERT INTO recount.seen_pending SELECT docket, authority_class, usdot, day FROM recount.pending ON CONFLICT DO NOTHING;

INSERT INTO new_event
SELECT 'authority_inactive', usdot, docket, authority_class, state, newest.changed_on, 'authority_snapshot',
  'snapshot_comparison', legal_name, newest.reason, status_before, holder.status, newest.changed_on, country,
  concat_ws('|', 'authority_inactive', docket, authority_class, usdot, coalesce(newest.changed_on, registry_day))
FROM pg_temp.holder
CROSS JOIN recount.import_day
LEFT JOIN LATERAL (
  -- The newest history row, if it has the new status.
  SELECT DISTINCT ON (history.docket) history.status, changed_on, reason
  FROM recount.history
  WHERE history.docket = holder.docket AND history.authority_class = holder.authority_class
    AND (history.usdot IS NULL OR history.usdot = holder.usdot)
    AND changed_on <= registry_day
  ORDER BY history.docket, changed_on DESC, history.status = holder.status DESC, reason
) AS newest ON newest.status = holder.status
WHERE knows_statuses AND status_before IN ('active', 'pending') AND holder.status IN ('inactive', 'withdrawn')
  -- A loss on a day long past makes no event, even when Carrier shows it only now.
  AND coalesce(newest.changed_on >= registry_day - 30, true)
  AND authority_class IN ('carrier_property', 'carrier_hhg', 'broker', 'freight_forwarder')
  AND NOT pg_temp.is_reported(docket, authority_class, usdot, '{insurance_cancellation_suspension}', registry_day)
  AND NOT EXISTS (
    SELECT FROM detected WHERE detected.type = 'insurance_cancellation_suspension'
      AND detected.docket = holder.docket AND detected.authority_class = holder.authority_class
      AND detected.usdot = holder.usdot);

CREATE TEMP TABLE written AS
SELECT DISTINCT ON (identity) new_event.*, coalesce(occurred_on, 'infinity') AS day,
  array_position('{new_authority_granted,insurance_cancellation_suspension,authority_inactive,reinstated}', type) AS turn
FROM new_event
WHERE recount.is_customer_of_interest(usdot, country, legal_name) AND identity NOT IN (SELECT identity FROM recount.event)
ORDER BY identity, reason;

-- An event that moves the status (a notice does not) stands between those before and after it.
INSERT INTO recount.event
SELECT type, usdot, docket, authority_class, state, occurred_on, today, source_dataset, verify_method,
  jsonb_build_object('legal_name', legal_name, 'reason', reason, 'authority_type', authority_class,
    'status_before', coalesce((
      SELECT CASE turn WHEN 2 THEN 'inactive' WHEN 3 THEN before.status_after ELSE 'active' END FROM written AS before
      WHERE (before.usdot, before.docket, before.authority_class) = (now.usdot, now.docket, now.authority_class)
        AND before.turn > 0 AND now.turn > 0 AND (before.day, before.turn, before.identity) < (now.day, now.turn, now.identity)
      ORDER BY day DESC, turn DESC, identity DESC LIMIT 1), now.status_before),
    'status_after', CASE WHEN EXISTS (
      SELECT FROM written AS later
      WHERE (later.usdot, later.docket, later.authority_class) = (now.usdot, now.docket, now.authority_class)
        AND later.turn > 0 AND now.turn > 0 AND (later.day, later.turn, later.identity) > (now.day, now.turn, now.identity))
      THEN CASE now.turn WHEN 2 THEN 'inactive' WHEN 3 THEN now.status_after ELSE 'active' END
      ELSE now.status_after END,
    'effective_date', effective_on),
  identity
FROM written AS now CROSS JOIN recount.import_day;

UPDATE recount.import_day SET
  knows_history = EXISTS (SELECT FROM recount.plain_motus_authhist),
  knows_notices = EXISTS (SELECT FROM recount.plain_motus_revokesuspend),
  knows_statuses = EXISTS (SELECT FROM recount.plain_motus_carrier);
DROP VIEW pg_temp.holder;
DROP TABLE candidate, correction, detected, new_event, written;
DROP FUNCTION pg_temp.is_reported, pg_temp.event_type;
