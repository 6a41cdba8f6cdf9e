-- Companies whose carrier authority was granted within the 28 days up to and including the as-of day (0 to 27 days old)
-- and is active. One record per company, for its newest grant; authority_types names every class so granted. After the
-- legacy registry stopped, only Motus can know such a date.
SELECT DISTINCT ON (usdot) *, array_agg(authority_class) OVER company AS authority_types
FROM subject
WHERE authority_status = 'active'
  AND authority_class IN ('carrier_property', 'carrier_hhg')
  AND status_code = 'A'
  AND days_in_business BETWEEN 0 AND 27
  AND NOT is_revocation_pending
WINDOW company AS (PARTITION BY usdot)
ORDER BY usdot, authority_granted DESC, docket, authority_class DESC
