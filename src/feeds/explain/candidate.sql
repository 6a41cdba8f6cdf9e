-- Every authority with what the feeds' rules look at, over the temporary tables of ../derive/candidates.ts and
-- ../derive/removal-list.ts: those that became a subject and those that did not.
SELECT
  authority.usdot, authority.docket, authority.authority_class, authority.status, authority.status_source,
  authority.granted_on, suspension.suspended_on, reading.as_of,
  coalesce(census.legal_name, authority.registry_name) AS legal_name,
  CASE WHEN census.usdot IS NULL THEN authority.registry_country ELSE census.country END AS country,
  census.usdot IS NOT NULL AS is_in_census,
  census.status_code, census.power_units,
  removed_business.removed_at,
  subject.usdot IS NOT NULL AS is_subject,
  subject.days_in_business,
  coalesce(subject.is_revocation_pending, false) AS is_revocation_pending,
  revoking.docket AS revoking_docket,
  pending.order_type, pending.served_on, pending.effective_on, coalesce(pending.later_orders, 0) AS later_orders
FROM authority
CROSS JOIN reading
LEFT JOIN census ON census.usdot = authority.usdot
LEFT JOIN removed_business ON removed_business.usdot = authority.usdot
LEFT JOIN suspension ON suspension.docket = authority.docket
  AND suspension.authority_class = authority.authority_class AND suspension.usdot = authority.usdot
LEFT JOIN subject ON subject.docket = authority.docket
  AND subject.authority_class = authority.authority_class AND subject.usdot = authority.usdot
-- The carrier authority of the same company that is in revocation, if there is one.
LEFT JOIN (
  SELECT usdot, min(docket) AS docket
  FROM subject
  WHERE authority_class IN ('carrier_property', 'carrier_hhg') AND is_revocation_pending
  GROUP BY usdot
) AS revoking ON revoking.usdot = authority.usdot
LEFT JOIN (
  SELECT DISTINCT ON (docket, authority_class, usdot) *,
    (count(*) OVER (PARTITION BY docket, authority_class, usdot))::int - 1 AS later_orders
  FROM pending_revocation
  ORDER BY docket, authority_class, usdot, effective_on, served_on NULLS LAST
) AS pending ON pending.docket = authority.docket
  AND pending.authority_class = authority.authority_class AND pending.usdot = authority.usdot
