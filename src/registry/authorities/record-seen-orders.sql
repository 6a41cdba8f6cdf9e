-- params: none
-- after: open-new-pending-revocations.sql
INSERT INTO seen_order (docket, authority_class, usdot, named_on)
SELECT docket, authority_class, usdot, named_on FROM new_pending_revocation
