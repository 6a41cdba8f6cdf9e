-- name: bringUpToDate :exec
-- Writes only what differs: on most days that is little.
-- reads: shared_now
DELETE FROM shared_value AS stored
WHERE NOT EXISTS (
  SELECT FROM shared_now AS now WHERE now.kind = stored.kind AND now.value = stored.value AND now.usdot = stored.usdot);
INSERT INTO shared_value AS stored (kind, value, usdot, is_now, first_on, last_on, sources)
SELECT now.kind, now.value, now.usdot, now.is_now, now.first_on, now.last_on, now.sources
FROM shared_now AS now LEFT JOIN shared_value AS known USING (kind, value, usdot)
WHERE known.usdot IS NULL
  OR (now.is_now, now.first_on, now.last_on, now.sources)
    IS DISTINCT FROM (known.is_now, known.first_on, known.last_on, known.sources)
ON CONFLICT (kind, value, usdot) DO UPDATE SET is_now = excluded.is_now,
  first_on = excluded.first_on, last_on = excluded.last_on, sources = excluded.sources;

-- name: companies :many
-- Companies as they filed themselves: in the census, else in an authority's own file. `ended_on` is the newest day on which
-- one of their authorities ended, `granted_on` the newest grant. Removed businesses are left out.
-- params: usdots, asOf
-- never null: usdot
WITH holder AS (
  SELECT DISTINCT ON (usdot) usdot, registry_name, registry_dba_name, registry_state
  FROM authority WHERE usdot = ANY ($1::int[])
  ORDER BY usdot,
-- include: ../../feeds/derive/filingOrder
)
SELECT asked.usdot, census.status_code, census.is_individual,
-- include: ../../feeds/derive/filedName
  , held.is_active AS "hasActiveAuthority", held.granted_on AS "grantedOn", ended.ended_on AS "endedOn"
FROM (SELECT unnest($1::int[]) AS usdot) AS asked
LEFT JOIN holder USING (usdot)
LEFT JOIN census USING (usdot)
LEFT JOIN LATERAL (
  SELECT bool_or(status = 'active') AS is_active, max(granted_on) AS granted_on
  FROM authority WHERE authority.usdot = asked.usdot HAVING count(*) > 0) AS held ON true
LEFT JOIN LATERAL (
  SELECT max(on_day) AS ended_on FROM (
    SELECT changed_on AS on_day FROM motus_history
    WHERE docket IN (SELECT docket FROM authority WHERE authority.usdot = asked.usdot)
      AND coalesce(motus_history.usdot = asked.usdot, true) AND status IN ('inactive', 'withdrawn')
    UNION ALL
    SELECT final_on FROM legacy_authhist
    JOIN registry_word ON vocabulary = 'legacy_authhist.DISP_ACTION_DESC' AND value = final_action AND meaning = 'end'
    WHERE docket IN (SELECT docket FROM authority WHERE authority.usdot = asked.usdot)
      AND coalesce(legacy_authhist.usdot = asked.usdot, true)
  ) AS ending WHERE on_day <= $2::date) AS ended ON true
WHERE (census.usdot IS NOT NULL OR holder.usdot IS NOT NULL)
  AND NOT EXISTS (SELECT FROM removal_list_business AS removed WHERE removed.usdot = asked.usdot);

-- name: facts :many
-- What the registry says of companies: an out-of-service order in force, authorities that were revoked and are not active,
-- insurance that was cancelled and not replaced. Each once, with its newest day.
-- params: usdots, asOf, legacyFrozenOn
-- plan: once
WITH held AS (
  -- The legacy registry gives the status where it gives that of every authority.
  SELECT usdot, docket, bool_or(status = 'active') AS is_active, max(status_source) AS status_source
  FROM authority WHERE usdot = ANY ($1::int[]) GROUP BY usdot, docket
),
fact AS (
  SELECT usdot, 'out_of_service' AS code, ordered_on AS "on", 'oos_order' AS source
  FROM oos_order WHERE usdot = ANY ($1::int[]) AND (rescinded_on IS NULL OR rescinded_on > $2::date)
  UNION ALL
  SELECT held.usdot, 'authority_revoked', changed_on, 'motus_authhist'
  FROM held JOIN motus_history AS history USING (docket)
  WHERE NOT is_active AND meaning = 'revocation' AND coalesce(history.usdot = held.usdot, true)
  UNION ALL
  SELECT held.usdot, 'authority_revoked', final_on, 'legacy_authhist'
  FROM held JOIN legacy_authhist AS history USING (docket)
  JOIN registry_word AS began
    ON began.vocabulary = 'legacy_authhist.ORIGINAL_ACTION_DESC' AND began.value = action AND began.meaning = 'proceeding'
  JOIN registry_word AS ended
    ON ended.vocabulary = 'legacy_authhist.DISP_ACTION_DESC' AND ended.value = final_action AND ended.meaning = 'end'
  WHERE NOT is_active AND coalesce(history.usdot = held.usdot, true)
  UNION ALL
  SELECT authority.usdot, 'insurance_cancelled', ended_policy.cancelled_on, dataset
  FROM held AS authority CROSS JOIN (SELECT $2::date AS as_of, $3::date AS legacy_frozen_on) AS day
  CROSS JOIN LATERAL (
-- include: ../../feeds/derive/endingOfAuthority
  ) AS ended_policy
  LEFT JOIN cancellation_notice AS notice ON notice.docket = ended_policy.docket AND notice.type_code = ended_policy.type_code
    AND notice.policy_key = ended_policy.policy_key AND notice.cancelled_on = ended_policy.cancelled_on
  WHERE coalesce(ended_policy.usdot = authority.usdot, true) AND NOT
-- include: ../../feeds/derive/isCured
)
SELECT DISTINCT ON (usdot, code) usdot, code, "on", source
FROM fact WHERE "on" IS NULL OR "on" <= $2::date
ORDER BY usdot, code, "on" DESC NULLS LAST, source;

-- name: findStale :one?
-- The state of the registry that is served now, its day and its newest recorded change, if the shared values are of another
-- one; and the newest change at their time.
-- never null: registry
SELECT served.registry, served.as_of AS "asOf", last_change_id AS "lastChangeId",
  coalesce((SELECT max(id) FROM carrier_change_position), 0) AS "newestChangeId"
FROM (
  SELECT concat_ws(' ', (SELECT max(imported_at) FROM source), array_agg(version_id ORDER BY version_id)) AS registry,
    max(as_of) AS as_of
  FROM feed_current JOIN feed_version ON feed_version.id = version_id
) AS served
LEFT JOIN shared_value_index ON true
WHERE served.as_of IS NOT NULL AND served.registry IS DISTINCT FROM shared_value_index.registry;

-- name: holdNumbers :exec
-- Opens the tables of an update. `named_now`: the numbers about which the legacy registry is no longer asked.
-- makes: held_value, shared_now, named_now
CREATE TEMP TABLE held_value (
  kind text NOT NULL, value text NOT NULL, usdot integer NOT NULL, source text NOT NULL, is_now boolean NOT NULL,
  set_on date, lost_on date
) ON COMMIT DROP;
CREATE TEMP TABLE shared_now (
  kind text NOT NULL, value text NOT NULL, usdot integer NOT NULL, is_now boolean NOT NULL, first_on date, last_on date,
  sources text[] NOT NULL
) ON COMMIT DROP;
CREATE TEMP TABLE named_now ON COMMIT DROP AS SELECT usdot FROM census UNION SELECT usdot FROM motus_carrier;
ANALYZE named_now;

-- name: keepShared :exec
-- Keeps the values that 2 to `mostNumbers` numbers have or had, of which at most `mostActive` are active now and one has an
-- authority on record. A value that a number lost and got again was there before it was recorded.
-- params: mostNumbers, mostActive
-- reads: held_value, shared_now
INSERT INTO shared_now (kind, value, usdot, is_now, first_on, last_on, sources)
-- Most values are of one number alone. They are left out first, before anything is sorted.
WITH repeated AS MATERIALIZED (SELECT kind, value FROM held_value GROUP BY kind, value HAVING min(usdot) <> max(usdot)),
in_file AS (
  SELECT kind, value, usdot, source, bool_or(is_now) AS is_now, min(set_on) AS set_on, min(lost_on) AS first_lost_on,
    max(coalesce(lost_on, set_on)) AS last_on
  FROM held_value JOIN repeated USING (kind, value) GROUP BY kind, value, usdot, source
),
held AS (
  SELECT kind, value, usdot,
    -- A policy that ended is on file no more, whatever an older file says.
    bool_or(is_now) AND NOT (kind = 'policy' AND bool_or(first_lost_on IS NOT NULL)) AS is_now,
    CASE WHEN bool_and(set_on IS NOT NULL AND coalesce(set_on <= first_lost_on, true)) THEN min(set_on) END AS first_on,
    max(last_on) AS last_on,
    array_agg(source ORDER BY source) AS sources
  FROM in_file GROUP BY kind, value, usdot
),
holder AS (SELECT usdot, bool_or(status = 'active') AS is_active FROM authority GROUP BY usdot),
few AS (
  SELECT kind, value
  FROM held LEFT JOIN holder USING (usdot) LEFT JOIN census USING (usdot)
  GROUP BY kind, value
  HAVING count(*) BETWEEN 2 AND $1::int AND bool_or(holder.usdot IS NOT NULL)
    AND count(*) FILTER (WHERE coalesce(census.status_code = 'A', holder.is_active)) <= $2::int
)
SELECT kind, value, usdot, is_now, first_on, CASE WHEN NOT is_now THEN last_on END, sources
FROM held JOIN few USING (kind, value);

-- part: linked
-- What each of these numbers has or had in common with others. A domain is no sign of its own beside the same address at it.
-- Nothing is left of a contact or a business on the removal list.
pair AS MATERIALIZED (
  SELECT own.usdot AS carrier, other.usdot, own.kind, own.value, own.is_now AND other.is_now AS is_now,
    greatest(own.first_on, other.first_on) AS first_on, least(own.last_on, other.last_on) AS last_on,
    own.sources || other.sources AS sources
  FROM shared_value AS own JOIN shared_value AS other ON other.kind = own.kind AND other.value = own.value
  WHERE own.usdot = ANY ((SELECT $1::int[])::int[]) AND other.usdot <> own.usdot
),
link AS (
  SELECT carrier, usdot, kind, is_now AS "isNow", first_on AS "firstOn", last_on AS "lastOn", sources,
    CASE WHEN kind = 'declared_predecessor' THEN split_part(value, '>', 2) END AS predecessor
  FROM pair
  WHERE NOT EXISTS (SELECT FROM removal_list_business AS removed WHERE removed.usdot = pair.usdot)
    AND NOT (kind IN ('phone', 'email')
      AND EXISTS (SELECT FROM removal_list_contact AS removed WHERE removed.value = pair.value))
    AND NOT (kind = 'email_domain' AND EXISTS (
      SELECT FROM pair AS address
      WHERE address.carrier = pair.carrier AND address.usdot = pair.usdot AND address.kind = 'email'
        AND split_part(address.value, '@', 2) = pair.value))
)

-- name: links :many
-- params: usdots
-- typed: kind LinkKind from ./links.ts
-- never null: sources
-- plan: once
WITH
-- include: linked
SELECT carrier, usdot, kind, "isNow", "firstOn", "lastOn", sources, predecessor FROM link;

-- name: linksAndDay :many
-- The day that the shared values are of, with each of these numbers, whether it is a natural person's, its name if the census
-- does not say that, and its links, as one statement: each lookup runs it. No row before the values were found for the
-- first time.
-- params: usdots
-- typed: links LinksRow[]
-- plan: once
WITH
-- include: linked
SELECT shared_value_index.as_of AS "asOf", asked.usdot, is_individual,
  CASE WHEN is_individual IS NULL THEN filed_name(asked.usdot) END AS company,
  coalesce((SELECT json_agg(link) FROM link WHERE carrier = asked.usdot), '[]') AS links
FROM shared_value_index CROSS JOIN unnest((SELECT $1::int[])) AS asked (usdot) LEFT JOIN census USING (usdot);

-- name: noteShared :exec
-- params: registry, asOf, lastChangeId
INSERT INTO shared_value_index (registry, as_of, last_change_id) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET registry = excluded.registry, as_of = excluded.as_of,
  last_change_id = excluded.last_change_id;

-- name: namesOfNumbers :many
-- The names of these numbers, and whether each is a natural person's.
-- params: usdots
SELECT
-- include: named
FROM unnest($1::int[]) AS asked (usdot);

-- name: pay :many
-- Remembers that the account pays for these businesses in a month. Returns those that it had not paid for. Waits for another
-- transaction that pays for one of them.
-- params: accountId, month, usdots
INSERT INTO connection_charge (account_id, month, usdot)
SELECT $1::int, $2::date, usdot FROM unnest($3::int[]) AS usdot ORDER BY usdot
ON CONFLICT DO NOTHING
RETURNING usdot;

-- name: unpaid :one
-- How many of these businesses the account has not paid for in a month.
-- params: accountId, month, usdots
SELECT count(*)::int AS count FROM unnest($3::int[]) AS usdot
WHERE usdot NOT IN (SELECT usdot FROM connection_charge WHERE account_id = $1 AND month = $2);

-- name: release :exec
-- Empties the table for the next kind of values.
-- reads: held_value
TRUNCATE held_value;

-- name: useOneProcessor :one
-- Until the transaction ends. Readers of the service need the others more.
SELECT set_config('max_parallel_workers_per_gather', '0', true) AS workers;

-- part: named
-- The number `asked`, its name, and whether it is a natural person's.
asked.usdot, filed_name(asked.usdot) AS company,
  (SELECT is_individual FROM census WHERE census.usdot = asked.usdot) AS is_individual
