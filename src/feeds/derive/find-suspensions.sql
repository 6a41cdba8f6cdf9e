-- Authorities that were suspended for lack of insurance, bond or trust fund within the last days and were not active
-- since.
-- params: asOf, days
CREATE TEMP TABLE suspension ON COMMIT DROP AS
SELECT DISTINCT ON (authority.docket, authority.authority_class, authority.usdot)
  authority.docket, authority.authority_class, authority.usdot, suspended.changed_on AS suspended_on
FROM authority
JOIN motus_history AS suspended ON suspended.docket = authority.docket
  AND suspended.authority_class = authority.authority_class
WHERE authority.status = 'inactive'
  AND suspended.status = 'inactive'
  AND suspended.meaning IN ('insurance_suspension', 'security_suspension')
  AND suspended.changed_on BETWEEN $1::date - $2::integer AND $1::date
  AND NOT EXISTS (
    SELECT FROM motus_authhist AS later
    WHERE later.docket = suspended.docket AND later.authority_class = suspended.authority_class
      AND later.status = 'active' AND later.changed_on > suspended.changed_on AND later.changed_on <= $1::date)
ORDER BY authority.docket, authority.authority_class, authority.usdot, suspended.changed_on DESC
