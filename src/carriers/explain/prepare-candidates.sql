-- Candidates add phone exchanges. In a table of their own they need not wait for a running import.
-- params: none
-- after: hide-authorities.sql, hide-census.sql
ANALYZE authority, census;
CREATE TEMP TABLE phone_exchange (LIKE public.phone_exchange INCLUDING ALL) ON COMMIT DROP
