-- Names of the businesses in the feeds, to be searched by.
CREATE TABLE "business_name" (
    "usdot" INTEGER NOT NULL,
    "is_dba" BOOLEAN NOT NULL,
    "name" TEXT NOT NULL,
    "state" TEXT,
    "key" TEXT NOT NULL,

    CONSTRAINT "business_name_pkey" PRIMARY KEY ("usdot", "is_dba")
);

-- The versions of which all businesses have their names there.
CREATE TABLE "name_index" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "versions" INTEGER[],

    CONSTRAINT "name_index_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "name_index_id_check" CHECK ("id")
);

-- What the spellings of a name have in common: its words in capitals, without accents, apostrophes and dots. Single letters are
-- one word: "J. B. Hunt" and "JB HUNT" have the same key. Most names are their own key.
CREATE FUNCTION "name_key"("name" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN "name" ~ '^[A-Z0-9]{2,}( [A-Z0-9]{2,})*$' THEN "name"
    ELSE btrim(regexp_replace(regexp_replace(translate(upper(
        CASE WHEN octet_length("name") = length("name") THEN "name"
          ELSE regexp_replace(normalize("name", NFD), '[\u0300-\u036f]', '', 'g') END), '''.`’', ''),
        '[^A-Z0-9]+', ' ', 'g'),
        '\m([A-Z0-9]) (?=[A-Z0-9]\M)', '\1', 'g')) END
$$;

-- The words of a name, and its state as a word that no name has: so the index finds both at once.
CREATE FUNCTION "name_words"("key" text, "state" text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_to_array("key" || ' @' || coalesce("state", ''), ' ')
$$;

CREATE INDEX "business_name_key_idx" ON "business_name" ("key" text_pattern_ops);
CREATE INDEX "business_name_words_idx" ON "business_name" USING gin (name_words("key", "state")) WITH (fastupdate = off);
