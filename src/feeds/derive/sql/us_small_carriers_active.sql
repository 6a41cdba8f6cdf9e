-- part: us_small_carriers_active
-- Companies with an active carrier authority and few trucks. One record per company: of several authorities the one
-- granted first is shown; authority_types names the classes of all.
SELECT DISTINCT ON (usdot) *, filed_insurer AS insurer, array_remove(ARRAY [
    CASE WHEN bool_or(authority_class = 'carrier_property') OVER company THEN 'carrier_property' END,
    CASE WHEN bool_or(authority_class = 'carrier_hhg') OVER company THEN 'carrier_hhg' END], NULL) AS authority_types
FROM eligible
WINDOW company AS (PARTITION BY usdot)
ORDER BY usdot, authority_granted NULLS LAST, docket, authority_class DESC
