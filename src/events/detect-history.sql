-- Events that a new row of Motus AuthHist is: a native grant, a native reinstatement, a suspension for want of
-- insurance (section 9.6 of the registry's reference). Rows that FMCSA carried over from the old registry are in
-- capitals and no news. A row that was dated ahead when it came is news once its day has come. $1: the as-of day.
-- $2: when this import detected them. $3: the states there are. $4: the as-of day of the import before.
INSERT INTO event (type, country, usdot, docket, authority_class, state, occurred_on, detected_at, source_dataset,
  verify_method, data, identity)
WITH news AS (
  SELECT history.*,
    CASE
      WHEN reason = 'Granted' AND history.status = 'active' THEN 'new_authority_granted'
      WHEN reason LIKE 'Reinstated%' AND reason NOT LIKE '%#220%' AND history.status = 'active' THEN 'reinstated'
      WHEN reason LIKE 'Involuntary Suspension%' AND reason ILIKE '%insurance%' AND history.status = 'inactive'
        THEN 'insurance_cancellation_suspension'
    END AS type
  FROM motus_authhist AS history
  WHERE (row_id IN (SELECT row_id FROM new_authhist) AND (changed_on IS NULL OR changed_on <= $1::date)
      OR changed_on > $4::date AND changed_on <= $1::date)
    AND authority_class IN ('carrier_property', 'carrier_hhg', 'broker', 'freight_forwarder')
),
-- The authority a row speaks of; a row may come before its authority does, then the USDOT number must do.
about AS (
  SELECT news.*, coalesce(authority.usdot, news.usdot) AS about_usdot,
    authority.registry_name, authority.registry_state, authority.registry_country
  FROM news
  LEFT JOIN authority ON authority.docket = news.docket AND authority.authority_class = news.authority_class
    AND (news.usdot IS NULL OR news.usdot = authority.usdot)
  WHERE news.type IS NOT NULL
),
known AS (
  SELECT about.*,
    coalesce(census.legal_name, about.registry_name) AS legal_name,
    coalesce(census.state, about.registry_state) AS filed_state,
    CASE WHEN census.usdot IS NULL THEN about.registry_country ELSE census.country END AS filed_country
  FROM about LEFT JOIN census ON census.usdot = about.about_usdot
),
-- Rows that tell something. Suspensions among them are all of the last loss, which several rows may speak of.
telling AS (
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
        SELECT FROM event AS told
        WHERE told.usdot = known.about_usdot AND told.docket = known.docket
          AND told.authority_class = known.authority_class
          AND told.type IN ('authority_inactive', 'insurance_cancellation_suspension')
          AND NOT EXISTS (
            SELECT FROM motus_authhist AS revived
            WHERE revived.docket = known.docket AND revived.authority_class = known.authority_class
              AND revived.status = 'active' AND revived.changed_on <= known.changed_on
              AND revived.changed_on > coalesce(told.occurred_on, (told.detected_at AT TIME ZONE 'UTC')::date)))))
)
SELECT
  telling.type, 'US', telling.about_usdot, telling.docket, telling.authority_class,
  CASE WHEN telling.filed_state = ANY ($3::text[]) THEN telling.filed_state END,
  telling.changed_on, $2::timestamptz, 'authority_history', 'registry_record',
  jsonb_build_object(
    'legal_name', telling.legal_name, 'reason', telling.reason, 'authority_type', telling.authority_class,
    'status_before', change.status_before, 'status_after', change.status_after,
    'effective_date', telling.changed_on),
  concat_ws('|', telling.type, telling.docket, telling.authority_class, telling.about_usdot, telling.changed_on,
    telling.row_id)
FROM telling
LEFT JOIN authority_change AS change ON change.docket = telling.docket
  AND change.authority_class = telling.authority_class AND change.usdot = telling.about_usdot
WHERE telling.type <> 'insurance_cancellation_suspension' OR telling.place = 1
ORDER BY telling.changed_on NULLS LAST, telling.docket, telling.authority_class, telling.about_usdot, telling.row_id
ON CONFLICT (identity) DO NOTHING
RETURNING type
