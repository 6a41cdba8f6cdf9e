-- The keys that a daily difference names without values: it removes the rows stored under them.
-- params: dockets[?], usdots[?], opAuthTypes
CREATE TEMP TABLE removal_key ON COMMIT DROP AS
SELECT * FROM unnest($1::text[], $2::integer[], $3::text[]) AS removal (docket, usdot, op_auth_type)
