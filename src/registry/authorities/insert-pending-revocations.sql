-- params: none
-- after: compute-pending-revocations.sql
INSERT INTO pending_revocation
  (docket, authority_class, usdot, served_on, effective_on, order_type, source, named_on)
SELECT docket, authority_class, usdot, served_on, effective_on, order_type, source, named_on
FROM pending_revocation_now
