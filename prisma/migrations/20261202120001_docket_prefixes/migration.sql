-- The docket of the same number with the other prefix of carriers: the registry sometimes writes MC for MX, and the reverse.
-- Null for any other docket.
CREATE FUNCTION "other_prefix"("docket" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE left("docket", 2) WHEN 'MC' THEN 'MX' WHEN 'MX' THEN 'MC' END || substr("docket", 3)
$$;
