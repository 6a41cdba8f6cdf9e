-- The events of the day, by comparing it with the day before (9.6). One change makes one event.
CREATE TEMP TABLE candidate AS
SELECT history.*, CASE
    WHEN status = 'active' AND reason = 'Granted' THEN 'new_authority_granted'
    WHEN status = 'active' AND reason ~ '^Reinstated' AND position('#220' IN reason) = 0 THEN 'reinstated'
    WHEN status = 'inactive' AND reason ~ '^Involuntary Suspension' AND reason ~* 'insurance'
      THEN 'insurance_cancellation_suspension'
  END AS type
FROM recount.history CROSS JOIN recount.reading
WHERE knows_history
  AND authority_class IN ('carrier_property', 'carrier_hhg', 'broker', 'freight_forwarder')
  AND (changed_on IS NULL OR changed_on <= registry_day)
  -- What was dated ahead when it came is news once its day is there.
  AND (changed_on > registry_day_before OR NOT EXISTS (
    SELECT FROM recount.history_before AS before
    WHERE before.docket = history.docket AND before.op_auth_type = history.op_auth_type
      AND before.status = history.status AND before.usdot IS NOT DISTINCT FROM history.usdot
      AND before.reason IS NOT DISTINCT FROM history.reason
      AND before.changed_on IS NOT DISTINCT FROM history.changed_on));
DELETE FROM candidate WHERE type IS NULL;

-- Who it is about, and what the registry says of them: the census, else the authority's own file.
CREATE VIEW pg_temp.holder AS
SELECT authority.docket, authority.authority_class, authority.usdot, authority.status, before.status AS status_before,
  coalesce(census.legal_name, authority.legal_name) AS legal_name,
  (SELECT state FROM recount.state_zone WHERE state = coalesce(census.state, authority.state)) AS state,
  CASE WHEN census.usdot IS NULL THEN authority.country ELSE census.country END AS country
FROM recount.authority
LEFT JOIN recount.authority_before AS before USING (docket, authority_class, usdot)
LEFT JOIN recount.census ON census.usdot = authority.usdot;

CREATE TEMP TABLE happening AS
SELECT candidate.type, holder.usdot, candidate.docket, candidate.authority_class, holder.state, holder.country,
  candidate.changed_on AS occurred_on, candidate.reason, holder.legal_name, holder.status_before, holder.status AS status_after,
  candidate.changed_on AS effective_on, candidate.op_auth_type
FROM candidate
JOIN pg_temp.holder ON holder.docket = candidate.docket AND holder.authority_class = candidate.authority_class
  AND holder.usdot = coalesce(candidate.usdot, holder.usdot)
UNION ALL
-- A row that comes before its authority counts when the census knows the company.
SELECT candidate.type, candidate.usdot, candidate.docket, candidate.authority_class,
  (SELECT state FROM recount.state_zone WHERE state = census.state), census.country,
  candidate.changed_on, candidate.reason, census.legal_name, NULL, NULL, candidate.changed_on, candidate.op_auth_type
FROM candidate JOIN recount.census USING (usdot)
WHERE NOT EXISTS (
  SELECT FROM recount.authority WHERE authority.docket = candidate.docket
    AND authority.authority_class = candidate.authority_class AND authority.usdot = candidate.usdot);

-- The day after which an authority has not been active again: events of this spell tell of the same loss.
CREATE FUNCTION pg_temp.is_told(about_docket text, about_class text, about_usdot integer, types text[], until date)
RETURNS boolean LANGUAGE sql AS $$
  SELECT EXISTS (
    SELECT FROM recount.event
    WHERE docket = about_docket AND authority_class = about_class AND usdot = about_usdot AND type = ANY (types)
      AND NOT EXISTS (
        SELECT FROM recount.history AS revival
        WHERE revival.docket = about_docket AND revival.authority_class = about_class AND revival.status = 'active'
          AND revival.changed_on > coalesce(event.occurred_on, event.detected_on) AND revival.changed_on <= until))
$$;

DELETE FROM happening USING recount.reading
WHERE type = 'insurance_cancellation_suspension' AND (
  -- Cured,
  EXISTS (
    SELECT FROM recount.history AS revival
    WHERE revival.docket = happening.docket AND revival.authority_class = happening.authority_class
      AND revival.status = 'active' AND revival.changed_on > happening.occurred_on AND revival.changed_on <= registry_day)
  -- told before,
  OR pg_temp.is_told(docket, authority_class, usdot, '{insurance_cancellation_suspension,authority_inactive}', occurred_on)
  -- or the second row of one loss.
  OR EXISTS (
    SELECT FROM happening AS first
    WHERE first.type = happening.type AND first.docket = happening.docket AND first.usdot = happening.usdot
      AND first.authority_class = happening.authority_class
      AND (first.occurred_on, first.reason) < (happening.occurred_on, happening.reason)));

CREATE TEMP TABLE told_today AS
SELECT type, usdot, docket, authority_class, state, occurred_on, 'authority_history' AS source_dataset,
  'registry_record' AS verify_method, legal_name, reason, status_before, status_after, effective_on, country,
  concat_ws('|', type, docket, authority_class, usdot, occurred_on, op_auth_type, reason) AS identity
FROM happening;

INSERT INTO told_today
SELECT DISTINCT ON (docket, authority_class, usdot, served_on)
  'revocation_pending', usdot, docket, authority_class, state, served_on, 'revocation_suspension_notice', 'registry_record',
  legal_name, order_type, status_before, status, effective_on, country,
  concat_ws('|', 'revocation_pending', docket, authority_class, usdot, served_on)
FROM recount.pending
JOIN pg_temp.holder USING (docket, authority_class, usdot)
CROSS JOIN recount.reading
WHERE knows_notices AND source = 'motus'
  AND authority_class IN ('carrier_property', 'carrier_hhg', 'broker', 'freight_forwarder')
  AND (docket, authority_class, usdot, served_on)
    NOT IN (SELECT docket, authority_class, usdot, served_on FROM recount.pending_before)
ORDER BY docket, authority_class, usdot, served_on, effective_on;

INSERT INTO told_today
SELECT 'authority_inactive', usdot, docket, authority_class, state, newest.changed_on, 'authority_snapshot',
  'snapshot_comparison', legal_name, newest.reason, status_before, holder.status, newest.changed_on, country,
  concat_ws('|', 'authority_inactive', docket, authority_class, usdot, today)
FROM pg_temp.holder
CROSS JOIN recount.reading
LEFT JOIN LATERAL (
  -- The history's last word, if it is about this change.
  SELECT DISTINCT ON (history.docket) history.status, changed_on, reason
  FROM recount.history
  WHERE history.docket = holder.docket AND history.authority_class = holder.authority_class
    AND changed_on <= registry_day
  ORDER BY history.docket, changed_on DESC, history.status = holder.status DESC, reason
) AS newest ON newest.status = holder.status
WHERE knows_statuses AND status_before IN ('active', 'pending') AND holder.status IN ('inactive', 'withdrawn')
  AND authority_class IN ('carrier_property', 'carrier_hhg', 'broker', 'freight_forwarder')
  AND NOT pg_temp.is_told(docket, authority_class, usdot, '{insurance_cancellation_suspension}', registry_day)
  AND NOT EXISTS (
    SELECT FROM happening WHERE happening.type = 'insurance_cancellation_suspension'
      AND happening.docket = holder.docket AND happening.authority_class = holder.authority_class
      AND happening.usdot = holder.usdot);

INSERT INTO recount.event
SELECT type, usdot, docket, authority_class, state, occurred_on, today, source_dataset, verify_method,
  jsonb_build_object('legal_name', legal_name, 'reason', reason, 'authority_type', authority_class,
    'status_before', status_before, 'status_after', status_after, 'effective_date', effective_on),
  identity
FROM told_today CROSS JOIN recount.reading
WHERE recount.is_customer_of_interest(usdot, country, legal_name)
ON CONFLICT (identity) DO NOTHING;

UPDATE recount.reading SET
  knows_history = EXISTS (SELECT FROM recount.plain_motus_authhist),
  knows_notices = EXISTS (SELECT FROM recount.plain_motus_revokesuspend),
  knows_statuses = EXISTS (SELECT FROM recount.plain_motus_carrier);
DROP VIEW pg_temp.holder;
DROP TABLE candidate, happening, told_today;
DROP FUNCTION pg_temp.is_told;
