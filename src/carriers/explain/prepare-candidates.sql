-- openCandidates adds phone exchanges. With a temporary table for them it does not wait for a running import.
-- params: none
-- after: hide-authorities.sql, hide-census.sql
ANALYZE authority, census;
CREATE TEMP TABLE phone_exchange (LIKE public.phone_exchange INCLUDING ALL) ON COMMIT DROP
