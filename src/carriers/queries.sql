-- name: findDocket :many
-- The USDOT numbers whose authorities have a docket number. As a rule a docket has one; a few were handed on.
-- params: docket
SELECT DISTINCT usdot FROM authority WHERE docket = $1 ORDER BY usdot LIMIT 10;

-- name: findHolders :many
-- The USDOT numbers whose authorities have each of these docket numbers, ascending.
-- params: dockets
-- plan: once
SELECT docket, array_agg(DISTINCT usdot) AS usdots FROM authority WHERE docket = ANY ($1::text[]) GROUP BY docket;

-- name: keyOfName :one
-- The key of a name, and whether the names of businesses were ever made.
-- params: name
-- never null: key
-- plan: once
SELECT name_key($1::text) AS key, EXISTS (SELECT FROM name_index) AS "isIndexed";

-- name: namesThatBegin :many
-- Names whose key begins with a text. No key has a character after "~".
-- params: key, state?, most
-- plan: once
SELECT usdot, key FROM business_name
WHERE key ~>=~ $1::text AND key ~<~ ($1::text || '~') AND ($2::text IS NULL OR state = $2)
ORDER BY key USING ~<~ LIMIT $3;

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
