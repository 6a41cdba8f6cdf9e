-- The status of each authority of the touched dockets before and after this import, from which events and changes are
-- found. Before is null for a new authority, after for one that is no longer known.
-- params: none
-- after: compute-authorities.sql
CREATE TEMP TABLE authority_change ON COMMIT DROP AS
SELECT docket, authority_class, usdot, before.status AS status_before, now.status AS status_after
FROM authority_now AS now
FULL JOIN (SELECT authority.* FROM authority JOIN touched_docket USING (docket)) AS before
  USING (docket, authority_class, usdot)
