-- "J.B.HUNTER" has the key of "J.B. HUNTER", and "ST.LOUIS" that of "ST. LOUIS": a dot after one or two letters and before a
-- word ends a word. Other dots do not count.
CREATE OR REPLACE FUNCTION "name_key"("name" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN "name" ~ '^[A-Z0-9]{2,}( [A-Z0-9]{2,})*$' THEN "name"
    ELSE btrim(regexp_replace(regexp_replace(regexp_replace(translate(regexp_replace(upper(
        CASE WHEN octet_length("name") = length("name") THEN "name"
          ELSE regexp_replace(normalize("name", NFD), '[\u0300-\u036f]', '', 'g') END),
        '\m([A-Z]{1,2})\.(?=[A-Z]{2})', '\1 ', 'g'), '''.`’', ''),
        '[^A-Z0-9]+', ' ', 'g'),
        '\m([A-Z0-9]) AND (?=[A-Z0-9]\M)', '\1 ', 'g'),
        '\m([A-Z0-9]) (?=[A-Z0-9]\M)', '\1', 'g')) END
$$;

-- The keys that were made before.
UPDATE "business_name" SET "key" = "name_key"("name")
WHERE "name" LIKE '%.%' AND "key" <> "name_key"("name");
