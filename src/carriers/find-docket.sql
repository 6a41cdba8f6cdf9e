-- The USDOT numbers whose authorities have a docket number. As a rule a docket has one; a few were handed on.
-- params: docket
SELECT DISTINCT usdot FROM authority WHERE docket = $1 ORDER BY usdot LIMIT 10
