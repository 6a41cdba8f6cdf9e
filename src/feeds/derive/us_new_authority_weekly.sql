-- Companies whose carrier authority was granted within the 28 days up to the as-of day and is active. One record per
-- company, for its newest grant. After the legacy registry stopped, only Motus can know such a date.
SELECT DISTINCT ON (usdot) *
FROM subject
WHERE authority_status = 'active'
  AND authority_class IN ('carrier_property', 'carrier_hhg')
  AND status_code = 'A'
  AND days_in_business BETWEEN 0 AND 27
  AND NOT is_revocation_pending
ORDER BY usdot, authority_granted DESC, docket_number, authority_class DESC
