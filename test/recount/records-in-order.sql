-- The records of one feed ($1) with the columns of all feeds, in the feed's order.
SELECT
  legal_name AS company, dba_name, company.usdot::text AS dot_number, CASE WHEN docket NOT LIKE 'DOT%' THEN docket END AS docket_number,
  authority_class AS authority_type, authority_class AS entity_type,
  order_type, order_served, order_effective, alert_reason, insurance_type, cancellation_effective, insurer,
  status AS authority_status, granted_on AS authority_granted, day - granted_on AS days_in_business,
  street, city, state, zip, time_zone, phone, cell_phone, cell_phone IS NOT NULL AS has_cell, email,
  power_units, drivers, general_freight, source AS status_source,
  -- The legacy registry verified nothing after it stopped.
  CASE source WHEN 'legacy' THEN least(day, DATE '2026-05-14') ELSE day END AS last_verified,
  authority_types,
  -- An order is lifted from the day of its rescission on; the first of several counts.
  CASE WHEN EXISTS (SELECT FROM recount.plain_oos_order) THEN first_order.usdot IS NOT NULL END AS out_of_service,
  first_order.ordered_on AS oos_since, first_order.reason AS oos_reason,
  CASE
    WHEN source = 'motus' AND NOT EXISTS (SELECT FROM recount.plain_motus_boc3) THEN NULL
    WHEN source = 'legacy' AND NOT EXISTS (SELECT FROM recount.plain_legacy_boc3) THEN NULL
    ELSE EXISTS (
      SELECT FROM recount.agent_filing AS filing
      WHERE filing.source = record.source
        AND (filing.docket = record.docket OR filing.docket = 'DOT' || record.usdot))
  END AS boc3_on_file
FROM recount.record
JOIN recount.company USING (usdot)
JOIN recount.feed_day USING (feed)
LEFT JOIN LATERAL (
  SELECT usdot, ordered_on, reason FROM recount.out_of_service_order AS issued
  WHERE issued.usdot = record.usdot
    AND coalesce(rescinded_on, 'infinity') > feed_day.day
  ORDER BY ordered_on, reason LIMIT 1
) AS first_order ON true
WHERE record.feed = $1
ORDER BY granted_on DESC NULLS LAST, company.usdot, authority_class, docket
