-- part: us_new_authority_weekly
-- Companies whose carrier authority is new. One record per company, for its newest grant; authority_types names every
-- class that was granted in the same weeks. Only Motus has grants since the legacy registry stopped.
SELECT DISTINCT ON (usdot) *, filed_insurer AS insurer, array_remove(ARRAY [
    CASE WHEN bool_or(authority_class = 'carrier_property') OVER company THEN 'carrier_property' END,
    CASE WHEN bool_or(authority_class = 'carrier_hhg') OVER company THEN 'carrier_hhg' END], NULL) AS authority_types
FROM eligible
WINDOW company AS (PARTITION BY usdot)
ORDER BY usdot, authority_granted DESC, docket, authority_class DESC
