-- name: namesLike :many
-- The key of a name with each name that begins like it or has its words, besides those that say what kind of company it
-- is. No key has a character after "~". Without such a name there is one row of nulls. Each row says whether the names of
-- businesses were ever made. Of several states only rows are chosen; a single one is looked up as a word.
-- params: name, kinds, states?, most
-- never null: asked
-- plan: once
WITH asked AS MATERIALIZED (SELECT name_key($1::text) AS key),
telling AS (SELECT array_agg(word) AS words FROM asked, string_to_table(key, ' ') AS word WHERE word <> ALL ($2::text[]))
SELECT asked.key AS asked, EXISTS (SELECT FROM name_index) AS "isIndexed", found.usdot, found.key
FROM asked CROSS JOIN telling LEFT JOIN LATERAL (
  (SELECT usdot, key FROM business_name
   WHERE key ~>=~ asked.key AND key ~<~ (asked.key || '~') AND ($3::text[] IS NULL OR state = ANY ($3))
   ORDER BY key USING ~<~ LIMIT $4::int)
  UNION
  (SELECT usdot, key FROM business_name
   WHERE name_words(key, state) @> (coalesce(telling.words, string_to_array(asked.key, ' '))
       || CASE WHEN cardinality($3) = 1 THEN ARRAY ['@' || $3[1]] END)
     AND ($3 IS NULL OR state = ANY ($3))
   LIMIT $4::int)) AS found ON true;

-- name: namesWithKeys :many
-- params: keys, states?, most
-- plan: once
SELECT usdot, key FROM business_name WHERE key = ANY ($1::text[]) AND ($2::text[] IS NULL OR state = ANY ($2)) LIMIT $3::int;

-- name: namesWithWords :many
-- Names with all the words of one of several lists.
-- params: lists, states?, most
-- plan: once
SELECT found.usdot, found.key
FROM jsonb_to_recordset($1::jsonb) AS asked (words text[])
CROSS JOIN LATERAL (
  SELECT usdot, key FROM business_name
  WHERE name_words(key, state) @> asked.words AND ($2::text[] IS NULL OR state = ANY ($2)) LIMIT $3::int) AS found;

-- name: namesWithSpellings :many
-- Names with all the words of one of several lists, and one of the spellings beside it.
-- params: lists, states?, most
-- plan: once
SELECT found.usdot, found.key
FROM jsonb_to_recordset($1::jsonb) AS asked (words text[], spellings text[])
CROSS JOIN LATERAL (
  SELECT usdot, key FROM business_name
  WHERE name_words(key, state) @> asked.words AND name_words(key, state) && asked.spellings
    AND ($2::text[] IS NULL OR state = ANY ($2)) LIMIT $3::int) AS found;

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

-- name: changesStart :one
-- The start of every request for changes, as `position` is for events: the highest id ever given, the newest change, and the
-- position after which the changes since a time begin.
-- params: since?
-- plan: once
SELECT installation.instance_id AS "instanceId", greatest(sequence.last_value, newest.id) AS "lastId", newest.id AS "newestId",
  coalesce(
    (SELECT id - 1 FROM carrier_change_position WHERE $1::timestamptz IS NOT NULL AND seen_at >= $1 ORDER BY seen_at, id LIMIT 1),
    newest.id) AS "sincePosition"
FROM installation
CROSS JOIN carrier_change_id_seq AS sequence
CROSS JOIN (SELECT coalesce(max(id), 0) AS id FROM carrier_change_position) AS newest;

-- part: watched
-- The carriers on the lists of an account, or on one of them, and only these unless null.
watched AS MATERIALIZED (
  SELECT DISTINCT usdot FROM watchlist JOIN shown_watchlist_carrier ON watchlist_id = watchlist.id
  WHERE account_id = $1 AND ($2::int IS NULL OR watchlist.id = $2) AND ($3::int[] IS NULL OR usdot = ANY ($3))
),

-- part: matchedChange
-- Each `matched` change. One that may not be shown, or whose carrier is outside of the states, is a row without a field.
SELECT matched.id AS "matchedId", change.*
FROM matched LEFT JOIN LATERAL (
  SELECT id, usdot, category, field, docket, item, old_value, new_value, registry_on, seen_at, source
  FROM visible_carrier_change AS visible
  WHERE visible.id = matched.id AND visible.seen_at = matched.seen_at
    AND ($5::text[] IS NULL OR filed_state(matched.usdot) = ANY ($5))) AS change ON true

-- name: watchedChanges :many
-- The changes of watched carriers among the next `reach` after a position, ascending by id, at most `most`: of the lists of an
-- account, or one of them, and only of these carriers and categories unless null, in these states (null: any).
-- params: accountId, watchlistId?, usdots?, categories?, states?, position, reach, most
-- plan: once
-- typed: category ChangeCategory from ../registry/changes/recorded-fields.ts
-- typed: item Record<string, string | null>
WITH
-- include: watched
matched AS MATERIALIZED (
  SELECT id, seen_at, usdot FROM carrier_change_position JOIN watched USING (usdot)
  WHERE id > $6::bigint AND id <= $6::bigint + $7::int AND ($4::text[] IS NULL OR category = ANY ($4))
  ORDER BY id LIMIT $8::int
)
-- include: matchedChange
ORDER BY matched.id;

-- name: newestWatchedChanges :many
-- The newest changes of watched carriers that were seen since a time, as watchedChanges has them, the newest first.
-- params: accountId, watchlistId?, usdots?, categories?, states?, since, most
-- plan: once
-- typed: category ChangeCategory from ../registry/changes/recorded-fields.ts
-- typed: item Record<string, string | null>
WITH
-- include: watched
matched AS MATERIALIZED (
  SELECT id, seen_at, usdot FROM carrier_change_position JOIN watched USING (usdot)
  WHERE seen_at >= $6::timestamptz AND ($4::text[] IS NULL OR category = ANY ($4))
  ORDER BY id DESC LIMIT $7::int
)
-- include: matchedChange
ORDER BY matched.id DESC;

-- name: namesOf :many
-- The names of these companies as the registry has them.
-- params: usdots
SELECT usdot, filed_name(usdot) AS name FROM unnest($1::int[]) AS asked (usdot);
