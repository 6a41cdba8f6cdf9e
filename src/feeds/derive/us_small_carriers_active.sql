-- Companies with 1 to 20 power units, an active USDOT number and an active carrier authority, none of which is in
-- revocation. One record per company: of several authorities the one granted first speaks for it; authority_types names
-- the classes of all.
SELECT DISTINCT ON (usdot) *, array_agg(authority_class) OVER company AS authority_types
FROM subject
WHERE authority_status = 'active'
  AND authority_class IN ('carrier_property', 'carrier_hhg')
  AND status_code = 'A'
  AND power_units BETWEEN 1 AND 20
  AND NOT EXISTS (
    SELECT FROM subject AS other
    WHERE other.usdot = subject.usdot
      AND other.authority_class IN ('carrier_property', 'carrier_hhg')
      AND other.is_revocation_pending)
WINDOW company AS (PARTITION BY usdot)
ORDER BY usdot, authority_granted NULLS LAST, docket, authority_class DESC
