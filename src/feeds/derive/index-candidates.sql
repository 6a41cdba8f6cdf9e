-- params: none
-- after: make-candidates.sql
CREATE INDEX ON candidate (usdot);
ANALYZE candidate (usdot, docket, authority_class)
