-- The records of one feed ($1) with the columns of all feeds, in the feed's order.
SELECT
  legal_name AS company, dba_name, company.usdot::text AS dot_number, CASE WHEN docket NOT LIKE 'DOT%' THEN docket END AS docket_number,
  authority_class AS authority_type, authority_class AS entity_type,
  order_type, order_served, order_effective, alert_reason, insurance_type, cancellation_effective,
  CASE WHEN feed = 'us_insurance_lapse_alerts' THEN record.insurer ELSE held.insurer END AS insurer,
  status AS authority_status, granted_on AS authority_granted, day - granted_on AS days_in_business,
  street, city, state, zip, time_zone, phone, cell_phone, cell_phone IS NOT NULL AS has_cell, email,
  power_units, drivers, general_freight, source AS status_source,
  -- The legacy registry verified nothing after it stopped.
  CASE source WHEN 'legacy' THEN least(day, DATE '2026-05-14') ELSE day END AS last_verified,
  authority_types,
  carrier_operation, hazmat, cargo, safety_rating, safety_rating_date, mcs150_date, annual_mileage, mileage_year,
  usdot_added, is_individual, phone_shared_by, email_shared_by, cover.required AS insurance_required, cover.on_file AS insurance_on_file,
  -- An order is lifted from the day of its rescission on; the first of several counts.
  CASE WHEN orders_day >= feed_day.day - 30 THEN first_order.usdot IS NOT NULL END AS out_of_service,
  first_order.ordered_on AS oos_since, first_order.reason AS oos_reason,
  CASE
    WHEN source = 'motus' AND (agents_day >= feed_day.day - 30) IS NOT TRUE THEN NULL
    WHEN source = 'legacy' AND NOT EXISTS (SELECT FROM recount.plain_legacy_boc3) THEN NULL
    -- An agent of Motus counts, else one of the legacy registry. Motus denies it only by a row without agent.
    WHEN EXISTS (
      SELECT FROM recount.agent_filing AS filing
      WHERE filing.source = 'motus' AND (filing.docket = record.docket OR filing.docket = 'DOT' || record.usdot)) THEN true
    WHEN EXISTS (
      SELECT FROM recount.plain_motus_boc3 AS filing
      WHERE recount.motus_docket(docket_number, usdot_number) = record.docket) THEN false
    WHEN EXISTS (
      SELECT FROM recount.agent_filing AS filing
      WHERE filing.source = 'legacy' AND filing.docket = record.docket) THEN true
  END AS boc3_on_file,
  held.effective_on AS policy_effective, held.cancelled_on AS cancellation_pending,
  CASE held.type_code WHEN '3' THEN 'bond' WHEN '4' THEN 'trust_fund' END AS bond_form,
  CASE WHEN EXISTS (SELECT FROM recount.plain_motus_inshist) AND EXISTS (SELECT FROM recount.plain_legacy_inshist) THEN (
    SELECT count(*)::integer FROM (
      SELECT policy, cancelled_on FROM recount.policy_ended AS lost
      WHERE ending = 'cancelled' AND lost.docket = record.docket AND lost.kind = need.kind
      UNION
      SELECT policy, cancelled_on FROM recount.legacy_cancellation AS lost
      WHERE lost.docket = record.docket AND lost.kind = need.kind
    ) AS lost WHERE cancelled_on <= feed_day.day AND cancelled_on > feed_day.day - interval '1 year'
  ) END AS cancellations_12m
FROM recount.record
JOIN recount.company USING (usdot)
JOIN recount.feed_day USING (feed)
-- What an optional file says is unknown once it is more than 30 days older than the feed.
CROSS JOIN (SELECT orders_day, agents_day FROM recount.import_day) AS optional
CROSS JOIN LATERAL (SELECT CASE WHEN record.authority_class LIKE 'carrier%' THEN 'bipd' ELSE 'security' END AS kind) AS need
-- What the authority has on file, by the registry of its status: one in force, else one of later, and the newest.
LEFT JOIN LATERAL (
  SELECT * FROM (
    SELECT on_file.type_code, on_file.insurer, on_file.effective_on, on_file.filed_on, on_file.policy, (
        SELECT min(lost.cancelled_on) FROM recount.policy_ended AS lost
        LEFT JOIN recount.ending_first_seen AS first_seen USING (docket, type_code, policy, cancelled_on)
        WHERE lost.docket = on_file.docket AND lost.kind = on_file.kind AND lost.policy = on_file.policy
          AND lost.ending IN ('cancelled', 'lost') AND lost.cancelled_on > feed_day.day
          -- Filed again after the notice, which came 30 days ahead if the first file had it.
          AND NOT EXISTS (
            SELECT FROM recount.policy_on_file AS again
            WHERE again.docket = lost.docket AND again.kind = lost.kind AND again.policy = lost.policy
              AND CASE
                WHEN first_seen.known_until IS NOT NULL THEN again.filed_on > first_seen.known_until
                WHEN again.filed_on > lost.cancelled_on - 30
                  THEN coalesce(lost.effective_on, '-infinity') <= lost.cancelled_on - 30 OR EXISTS (
                  SELECT FROM recount.policy_on_file AS earlier
                  WHERE earlier.docket = again.docket AND earlier.kind = again.kind AND earlier.policy = again.policy
                    AND earlier.filed_on < again.filed_on)
              END)
      ) AS cancelled_on
    FROM recount.policy_on_file AS on_file
    WHERE record.source = 'motus' AND on_file.docket = record.docket AND on_file.kind = need.kind
      AND (on_file.kind = 'security' OR on_file.cover_class = 'primary')
      AND recount.insures(on_file.docket, on_file.usdot, record.usdot)
      AND NOT EXISTS (
        SELECT FROM recount.policy_ended AS lost
        WHERE lost.docket = on_file.docket AND lost.kind = on_file.kind AND lost.policy = on_file.policy
          AND lost.ending IS NOT NULL
          AND CASE
            WHEN lost.cancelled_on IS NULL THEN true
            WHEN on_file.filed_on > lost.cancelled_on THEN false
            ELSE lost.cancelled_on <= feed_day.day
          END)
    UNION ALL
    SELECT type_code, insurer, effective_on, filed_on, policy, cancelled_on
    FROM recount.legacy_cover_on_file AS on_file
    WHERE record.source = 'legacy' AND on_file.docket = record.docket AND on_file.kind = need.kind
      AND coalesce(cancelled_on, 'infinity') > feed_day.day
  ) AS candidate
  ORDER BY coalesce(effective_on, 'infinity') > feed_day.day, effective_on DESC NULLS LAST, filed_on DESC NULLS LAST,
    coalesce(cancelled_on, 'infinity'), policy, insurer
  LIMIT 1
) AS held ON true
-- The registry that gives the status gives the amounts; of several rows an active one, then the highest amounts.
LEFT JOIN LATERAL (
  SELECT required, on_file FROM (
    SELECT motus.min_coverage::integer AS required, motus.bipd_on_file::integer AS on_file, motus.status = 'active' AS is_active
    FROM recount.motus WHERE record.source = 'motus' AND motus.docket = record.docket AND motus.usdot = record.usdot
      AND motus.authority_class = record.authority_class
    UNION ALL
    SELECT required, on_file, true FROM recount.legacy_cover
    WHERE record.source = 'legacy' AND legacy_cover.docket = record.docket AND legacy_cover.usdot = record.usdot
  ) AS filed
  WHERE record.authority_class <> 'broker'
  ORDER BY is_active DESC, required DESC NULLS LAST, on_file DESC NULLS LAST LIMIT 1
) AS cover ON true
LEFT JOIN LATERAL (
  SELECT usdot, ordered_on, reason FROM recount.out_of_service_order AS issued
  WHERE issued.usdot = record.usdot
    AND coalesce(rescinded_on, 'infinity') > feed_day.day AND orders_day >= feed_day.day - 30
  ORDER BY ordered_on, reason LIMIT 1
) AS first_order ON true
WHERE record.feed = $1
ORDER BY granted_on DESC NULLS LAST, company.usdot, authority_class, docket
