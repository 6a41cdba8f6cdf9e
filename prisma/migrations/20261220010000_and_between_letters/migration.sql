-- "A AND B" has the key of "A & B": an AND between single letters is a blank before they become one word.
CREATE OR REPLACE FUNCTION "name_key"("name" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN "name" ~ '^[A-Z0-9]{2,}( [A-Z0-9]{2,})*$' THEN "name"
    ELSE btrim(regexp_replace(regexp_replace(regexp_replace(translate(upper(
        CASE WHEN octet_length("name") = length("name") THEN "name"
          ELSE regexp_replace(normalize("name", NFD), '[\u0300-\u036f]', '', 'g') END), '''.`’', ''),
        '[^A-Z0-9]+', ' ', 'g'),
        '\m([A-Z0-9]) AND (?=[A-Z0-9]\M)', '\1 ', 'g'),
        '\m([A-Z0-9]) (?=[A-Z0-9]\M)', '\1', 'g')) END
$$;

-- The keys that were made before.
UPDATE "business_name" SET "key" = "name_key"("name")
WHERE "key" LIKE '% AND %' AND "key" <> "name_key"("name");
