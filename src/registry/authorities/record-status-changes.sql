-- The status of each touched authority before and after this import, from which events are found.
-- params: none
-- after: compute-authorities.sql
CREATE TEMP TABLE authority_change ON COMMIT DROP AS
SELECT now.docket, now.authority_class, now.usdot, before.status AS status_before, now.status AS status_after
FROM authority_now AS now LEFT JOIN authority AS before USING (docket, authority_class, usdot)
