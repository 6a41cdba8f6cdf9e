-- News of Motus AuthHist: a grant, a reinstatement, a suspension for want of insurance, bond or trust fund (sections 9.6
-- and 9.8 of the registry's reference). Rows that FMCSA carried over from the old registry are in capitals and dated
-- before it stopped. A row that was dated ahead when it came is news once its day has come. What lies more than 30 days
-- back, or before the authority could be known, changes the state and is no news. $1: the as-of day. $2: when this
-- import detected them. $3: the states there are. $4: the as-of day of the import before. $5: the day the legacy
-- registry stopped. $6: the classes that events are about.
INSERT INTO new_event (type, country, usdot, docket, authority_class, state, occurred_on, detected_at, source_dataset,
  verify_method, data, identity)
WITH news AS (
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
      OR changed_on > $4::date AND changed_on <= $1::date)
    AND (changed_on IS NULL OR changed_on >= $1::date - 30)
    AND row_id NOT IN (SELECT row_id FROM corrected_row)
    AND authority_class = ANY ($6::text[])
),
-- The authority a row speaks of; a row may name another company than its authority's, then the USDOT number counts.
about AS (
  SELECT news.*, coalesce(authority.usdot, news.usdot) AS about_usdot,
    authority.registry_name, authority.registry_state, authority.registry_country
  FROM news
  LEFT JOIN authority ON authority.docket = news.docket AND authority.authority_class = news.authority_class
    AND (news.usdot IS NULL OR news.usdot = authority.usdot)
  WHERE news.type IS NOT NULL AND coalesce(news.changed_on >= authority.first_seen_on, true)
),
known AS (
  SELECT about.*,
    coalesce(census.legal_name, about.registry_name) AS legal_name,
    coalesce(census.state, about.registry_state) AS filed_state,
    CASE WHEN census.usdot IS NULL THEN about.registry_country ELSE census.country END AS filed_country
  FROM about LEFT JOIN census ON census.usdot = about.about_usdot
),
-- Suspensions are all of the last loss, which several rows may speak of.
event_row AS (
  SELECT known.*,
    row_number() OVER (
      PARTITION BY known.type, known.docket, known.authority_class, known.about_usdot
      ORDER BY known.changed_on NULLS LAST, known.reason, known.row_id) AS place
  FROM known
  WHERE known.legal_name IS NOT NULL
    AND is_us_company(known.about_usdot, known.filed_country, known.legal_name)
    AND (known.type <> 'insurance_cancellation_suspension' OR (
      -- Not cured since,
      NOT EXISTS (
        SELECT FROM motus_authhist AS later
        WHERE later.docket = known.docket AND later.authority_class = known.authority_class
          AND later.status = 'active' AND later.changed_on > known.changed_on AND later.changed_on <= $1::date)
      -- and not the same loss of authority that an earlier event has already told: one change makes one event.
      AND NOT EXISTS (
        SELECT FROM told_event AS told
        WHERE told.usdot = known.about_usdot AND told.docket IS NOT DISTINCT FROM shown_docket(known.docket)
          AND told.authority_class = known.authority_class
          AND told.type IN ('authority_inactive', 'insurance_cancellation_suspension')
          AND NOT EXISTS (
            SELECT FROM motus_authhist AS revived
            WHERE revived.docket = known.docket AND revived.authority_class = known.authority_class
              AND revived.status = 'active' AND revived.changed_on <= known.changed_on
              AND revived.changed_on > coalesce(told.occurred_on, (told.detected_at AT TIME ZONE 'UTC')::date)))))
)
SELECT
  event_row.type, 'US', event_row.about_usdot, shown_docket(event_row.docket), event_row.authority_class,
  CASE WHEN event_row.filed_state = ANY ($3::text[]) THEN event_row.filed_state END,
  event_row.changed_on, $2::timestamptz, 'authority_history', 'registry_record',
  jsonb_build_object(
    'legal_name', event_row.legal_name, 'reason', event_row.reason, 'authority_type', event_row.authority_class,
    'status_before', change.status_before, 'status_after', change.status_after,
    'effective_date', event_row.changed_on),
  concat_ws('|', event_row.type, event_row.docket, event_row.authority_class, event_row.about_usdot,
    event_row.changed_on)
FROM event_row
LEFT JOIN authority_change AS change ON change.docket = event_row.docket
  AND change.authority_class = event_row.authority_class AND change.usdot = event_row.about_usdot
WHERE event_row.type <> 'insurance_cancellation_suspension' OR event_row.place = 1
ORDER BY event_row.place
ON CONFLICT (identity) DO NOTHING
