-- The keys that a daily difference names without values: it removes the rows stored under them. They replace those of
-- another difference.
-- params: dockets[?], usdots[?], opAuthTypes
-- after: open-touched-dockets.sql
WITH of_others AS (DELETE FROM removal_key)
INSERT INTO removal_key (docket, usdot, op_auth_type) SELECT * FROM unnest($1::text[], $2::integer[], $3::text[])
