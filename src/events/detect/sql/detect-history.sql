-- name: detectHistory :exec
-- Events from new rows of Motus AuthHist: a grant, a reinstatement, or a suspension because insurance, bond or trust fund
-- is missing (sections 9.6 and 9.8 of the registry's reference). No event comes from
-- - rows that FMCSA copied from the legacy registry: they are in capitals and dated before it stopped;
-- - rows with a future date, until that day;
-- - rows more than 30 days old, or older than the authority: they change its state only. But a grant that is the first
--   row about its authority makes an event when authority or company appear some days after it (countsLate), unless the
--   registry had the authority before that day, under another docket or without a company in the census.
-- params: asOf, detectedAt, states, previousAsOf?, legacyFrozenOn, classes, countsLate
-- reads: new_event, recorded_event, correction, corrected_event, corrected_row, authority_change, new_company
INSERT INTO new_event (type, country, usdot, docket, authority_class, state, occurred_on, detected_at, source_dataset,
  verify_method, data, identity)
WITH late_authority AS MATERIALIZED (
  SELECT docket, authority_class, usdot, (
    SELECT min(former.first_seen_on) FROM authority AS former
    WHERE former.usdot = authority.usdot AND former.authority_class = authority.authority_class
      AND former.first_seen_on < authority.first_seen_on) AS known_since
  FROM authority_change AS change JOIN authority USING (docket, authority_class, usdot)
  WHERE $7::boolean AND change.status_before IS NULL
  UNION
  SELECT docket, authority_class, usdot, first_seen_on
  FROM new_company JOIN authority USING (usdot)
  WHERE $7::boolean
),
-- The first grants of authorities that appeared with this import.
late_grant AS MATERIALIZED (
  SELECT history.row_id
  FROM late_authority AS late JOIN motus_history AS history USING (docket, authority_class)
  WHERE coalesce(history.usdot = late.usdot, true) AND coalesce(history.changed_on >= late.known_since, true)
    AND history.meaning = 'grant' AND history.status = 'active' AND history.changed_on <= $1::date
    AND NOT EXISTS (
      SELECT FROM motus_authhist AS older
      WHERE older.docket = history.docket AND older.authority_class = history.authority_class
        AND coalesce(older.usdot = history.usdot, true)
        AND older.changed_on < history.changed_on AND older.status IN ('active', 'inactive', 'withdrawn'))
    AND NOT EXISTS (SELECT FROM legacy_authhist AS older WHERE older.docket = history.docket)
    AND NOT EXISTS (SELECT FROM legacy_carrier AS older WHERE older.docket = history.docket)
),
new_row AS (
  SELECT history.*,
    CASE
      WHEN reason = upper(reason) AND coalesce(changed_on <= $5::date, true) THEN NULL
      WHEN meaning = 'grant' AND history.status = 'active' THEN 'new_authority_granted'
      WHEN meaning = 'reinstatement' AND history.status = 'active' THEN 'reinstated'
      WHEN meaning IN ('insurance_suspension', 'security_suspension') AND history.status = 'inactive'
        THEN 'insurance_cancellation_suspension'
    END AS type
  FROM motus_history AS history
  WHERE (row_id IN (SELECT row_id FROM new_authhist) AND (changed_on IS NULL OR changed_on <= $1::date)
      OR changed_on > $4::date AND changed_on <= $1::date
      OR row_id IN (SELECT row_id FROM late_grant))
    AND (changed_on IS NULL OR changed_on >= $1::date - 30)
    AND row_id NOT IN (SELECT row_id FROM corrected_row)
    AND authority_class = ANY ($6::text[])
),
-- The authority of each row. If a row names another company than the authority does, the row's USDOT number is used.
about AS (
  SELECT new_row.*, coalesce(authority.usdot, new_row.usdot) AS about_usdot, authority.status AS status_now,
    authority.registry_name, authority.registry_state, authority.registry_country
  FROM new_row
  LEFT JOIN authority ON authority.docket = new_row.docket AND authority.authority_class = new_row.authority_class
    AND (new_row.usdot IS NULL OR new_row.usdot = authority.usdot)
  WHERE new_row.type IS NOT NULL AND (coalesce(new_row.changed_on >= authority.first_seen_on, true)
    OR new_row.row_id IN (SELECT row_id FROM late_grant))
),
known AS (
  SELECT about.*,
    coalesce(census.legal_name, about.registry_name) AS legal_name,
    coalesce(census.state, about.registry_state) AS filed_state,
    CASE WHEN census.usdot IS NULL THEN about.registry_country ELSE census.country END AS filed_country
  FROM about LEFT JOIN census ON census.usdot = about.about_usdot
),
-- Several rows may be about one suspension: the earliest makes the event.
event_row AS (
  SELECT known.*,
    row_number() OVER (
      PARTITION BY known.type, known.docket, known.authority_class, known.about_usdot
      ORDER BY known.changed_on NULLS LAST, known.reason, known.row_id) AS rank
  FROM known
  WHERE known.legal_name IS NOT NULL
    AND is_us_company(known.about_usdot, known.filed_country, known.legal_name)
    AND (known.type <> 'insurance_cancellation_suspension' OR (
      -- Not reinstated since,
      NOT EXISTS (
        SELECT FROM motus_authhist AS later
        WHERE later.docket = known.docket AND later.authority_class = known.authority_class
          AND coalesce(later.usdot = known.about_usdot, true)
          AND later.status = 'active' AND later.changed_on > known.changed_on AND later.changed_on <= $1::date)
      -- not of one type only while another type of the class keeps the authority active. A suspended type that was
      -- reinstated on the same day has a row that says so,
      AND (known.status_now IS DISTINCT FROM 'active' OR EXISTS (
        SELECT FROM motus_authhist AS cure
        WHERE cure.docket = known.docket AND cure.authority_class = known.authority_class
          AND coalesce(cure.usdot = known.about_usdot, true) AND upper(cure.op_auth_type) = upper(known.op_auth_type)
          AND cure.status = 'active' AND cure.changed_on = known.changed_on))
      -- and no earlier event is about the same loss of authority: one change makes one event.
      AND NOT EXISTS (
        SELECT FROM recorded_event AS recorded
        WHERE recorded.usdot = known.about_usdot AND recorded.docket IS NOT DISTINCT FROM shown_docket(known.docket)
          AND recorded.authority_class = known.authority_class
          AND recorded.type IN ('authority_inactive', 'insurance_cancellation_suspension')
          AND NOT EXISTS (
            SELECT FROM motus_authhist AS revived
            WHERE revived.docket = known.docket AND revived.authority_class = known.authority_class
              AND coalesce(revived.usdot = known.about_usdot, true)
              AND revived.status = 'active' AND revived.changed_on <= known.changed_on
              AND revived.changed_on > coalesce(recorded.occurred_on, (recorded.detected_at AT TIME ZONE 'UTC')::date)))))
)
SELECT
  event_row.type, 'US', event_row.about_usdot, shown_docket(event_row.docket), event_row.authority_class,
  CASE WHEN event_row.filed_state = ANY ($3::text[]) THEN event_row.filed_state END,
  event_row.changed_on, $2::timestamptz, 'authority_history', 'registry_record',
  jsonb_build_object(
    'legal_name', event_row.legal_name, 'reason', event_row.reason, 'authority_type', event_row.authority_class,
    'status_before', nullif(change.status_before, 'missing'), 'status_after', nullif(change.status_after, 'missing'),
    'effective_date', event_row.changed_on),
  concat_ws('|', event_row.type, event_row.docket, event_row.authority_class, event_row.about_usdot,
    event_row.changed_on)
FROM event_row
LEFT JOIN authority_change AS change ON change.docket = event_row.docket
  AND change.authority_class = event_row.authority_class AND change.usdot = event_row.about_usdot
WHERE event_row.type <> 'insurance_cancellation_suspension' OR event_row.rank = 1
ORDER BY event_row.rank
ON CONFLICT (identity) DO NOTHING;
