-- name: findHolders :many
-- The USDOT numbers whose authorities have each of these docket numbers, ascending.
-- params: dockets
-- plan: once
SELECT docket, array_agg(DISTINCT usdot) AS usdots FROM authority WHERE docket = ANY ($1::text[]) GROUP BY docket;

-- name: namesLike :many
-- The key of a name with each name that begins like it or has its words, besides those that say what kind of company it
-- is. No key has a character after "~". Without such a name there is one row of nulls. Each row says whether the names of
-- businesses were ever made.
-- params: name, kinds, state?, most
-- never null: asked
-- plan: once
WITH asked AS MATERIALIZED (SELECT name_key($1::text) AS key),
telling AS (SELECT array_agg(word) AS words FROM asked, string_to_table(key, ' ') AS word WHERE word <> ALL ($2::text[]))
SELECT asked.key AS asked, EXISTS (SELECT FROM name_index) AS "isIndexed", found.usdot, found.key
FROM asked CROSS JOIN telling LEFT JOIN LATERAL (
  (SELECT usdot, key FROM business_name
   WHERE key ~>=~ asked.key AND key ~<~ (asked.key || '~') AND ($3::text IS NULL OR state = $3)
   ORDER BY key USING ~<~ LIMIT $4::int)
  UNION
  (SELECT usdot, key FROM business_name
   WHERE name_words(key, state) @> array_remove(coalesce(telling.words, string_to_array(asked.key, ' ')) || ('@' || $3), NULL)
   LIMIT $4::int)) AS found ON true;

-- name: namesWithWords :many
-- Names with all the words of one of several lists.
-- params: lists, most
-- plan: once
SELECT found.usdot, found.key
FROM jsonb_to_recordset($1::jsonb) AS asked (words text[])
CROSS JOIN LATERAL (
  SELECT usdot, key FROM business_name WHERE name_words(key, state) @> asked.words LIMIT $2::int) AS found;

-- name: namesWithSpellings :many
-- Names with all the words of one of several lists, and one of the spellings beside it.
-- params: lists, most
-- plan: once
SELECT found.usdot, found.key
FROM jsonb_to_recordset($1::jsonb) AS asked (words text[], spellings text[])
CROSS JOIN LATERAL (
  SELECT usdot, key FROM business_name
  WHERE name_words(key, state) @> asked.words AND name_words(key, state) && asked.spellings LIMIT $2::int) AS found;

-- name: readChanges :many
-- The recorded changes of a carrier that may be shown, newest first.
-- params: usdot, category?, since?, limit
-- typed: category ChangeCategory from ../registry/changes/recorded-fields.ts
-- typed: item Record<string, string | null>
SELECT id, category, field, docket, item, old_value, new_value, registry_on, as_of, seen_at, source, run_id
FROM visible_carrier_change
WHERE usdot = $1 AND ($2::text IS NULL OR category = $2) AND ($3::timestamptz IS NULL OR seen_at >= $3)
ORDER BY id DESC
LIMIT $4;
