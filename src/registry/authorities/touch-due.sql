-- Dockets of rows and orders that take effect after one as-of day and up to the next. An order without a docket is
-- about all dockets of its company.
-- params: previousAsOf, asOf
-- after: ../open-touched-dockets.sql
INSERT INTO touched_docket (docket)
SELECT docket FROM motus_authhist WHERE changed_on > $1 AND changed_on <= $2
UNION ALL
SELECT coalesce(notice.docket, authority.docket)
FROM motus_revokesuspend AS notice
LEFT JOIN authority ON notice.docket IS NULL AND authority.usdot = notice.usdot
WHERE coalesce(notice.effective_on, notice.served_on + 30) > $1
  AND coalesce(notice.effective_on, notice.served_on + 30) <= $2
  AND coalesce(notice.docket, authority.docket) IS NOT NULL
