-- params: none
-- after: compute-pending-revocations.sql
CREATE TEMP TABLE new_pending_revocation ON COMMIT DROP AS
SELECT now.* FROM pending_revocation_now AS now
LEFT JOIN seen_order AS before USING (docket, authority_class, usdot, named_on)
WHERE before.docket IS NULL
