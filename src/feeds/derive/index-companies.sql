-- params: none
-- after: make-companies.sql
CREATE INDEX ON company (usdot);
ANALYZE company (usdot)
