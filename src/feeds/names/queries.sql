-- name: findStale :one?
-- The versions that are served now, if the names are not those of their businesses.
SELECT served.versions
FROM (SELECT array_agg(version_id ORDER BY version_id) AS versions FROM feed_current) AS served
LEFT JOIN name_index ON true
WHERE served.versions IS DISTINCT FROM name_index.versions AND served.versions IS NOT NULL;

-- name: noteNamed :exec
-- params: versions
INSERT INTO name_index (versions) VALUES ($1::int[]) ON CONFLICT (id) DO UPDATE SET versions = excluded.versions;

-- part: bringUpToDate
-- Brings the names of businesses up to date. `standing` has the USDOT numbers of those that are in a feed. A key takes
-- longer than the rest, so it is made for new names alone.
holder AS (
  SELECT DISTINCT ON (usdot) usdot, registry_name, registry_dba_name, registry_state
  FROM standing JOIN authority USING (usdot)
  ORDER BY usdot,
-- include: ../derive/filingOrder
),
filed AS (
  SELECT usdot,
-- include: ../derive/filedName
  FROM holder LEFT JOIN census USING (usdot)
),
named AS MATERIALIZED (
  SELECT usdot, false AS is_dba, company AS name, filed_state AS state FROM filed WHERE company IS NOT NULL
  UNION ALL
  SELECT usdot, true, dba_name, filed_state FROM filed WHERE dba_name <> coalesce(company, '')
),
gone AS (
  DELETE FROM business_name AS stored
  WHERE NOT EXISTS (SELECT FROM named WHERE named.usdot = stored.usdot AND named.is_dba = stored.is_dba)
)
INSERT INTO business_name AS stored (usdot, is_dba, name, state, key)
SELECT usdot, is_dba, name, state, name_key(name)
FROM (
  SELECT named.* FROM named LEFT JOIN business_name AS known USING (usdot, is_dba)
  WHERE known.usdot IS NULL OR known.name <> named.name OR known.state IS DISTINCT FROM named.state
  OFFSET 0) AS new
ON CONFLICT (usdot, is_dba) DO UPDATE SET name = excluded.name, state = excluded.state, key = excluded.key
