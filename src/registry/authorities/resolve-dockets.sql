-- Puts history rows without a docket under their company's docket of that class, if Motus Carrier names one.
-- params: none
-- after: ../open-touched-dockets.sql
WITH resolved AS (
  UPDATE motus_authhist AS history SET docket = carrier.docket
  FROM (
    SELECT DISTINCT ON (usdot, authority_class) usdot, authority_class, docket FROM motus_carrier
    WHERE docket NOT LIKE 'DOT%' ORDER BY usdot, authority_class, docket
  ) AS carrier
  WHERE history.docket LIKE 'DOT%' AND carrier.usdot = history.usdot
    AND carrier.authority_class = history.authority_class
  RETURNING history.docket
)
INSERT INTO touched_docket (docket) SELECT docket FROM resolved
