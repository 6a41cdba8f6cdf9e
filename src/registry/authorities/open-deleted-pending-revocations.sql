-- params: none
-- after: compute-pending-revocations.sql
CREATE TEMP TABLE deleted_pending_revocation ON COMMIT DROP AS
SELECT before.* FROM pending_revocation AS before
LEFT JOIN pending_revocation_now AS now USING (docket, authority_class, usdot, named_on)
WHERE now.docket IS NULL
