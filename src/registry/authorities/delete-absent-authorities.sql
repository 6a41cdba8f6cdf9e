-- params: none
-- after: compute-authorities.sql
DELETE FROM authority AS stored USING touched_docket
WHERE stored.docket = touched_docket.docket AND NOT EXISTS (
  SELECT FROM authority_now AS now
  WHERE now.docket = stored.docket AND now.authority_class = stored.authority_class AND now.usdot = stored.usdot)
