-- name: linkChanges :many
-- Links of shared_now that are new, came back or ended since the stored values, once for each company with an authority, at
-- most `most`. A link can also begin or be gone because a value became rare or common enough to count: that is no news. So
-- it is new only when a change of one of the two was recorded that can make it, after the change `lastChangeId`, and
-- ended only when the value is still kept. What links a domain is told by the same address at it.
-- params: lastChangeId, most
-- reads: shared_now
-- typed: kind LinkKind from ./links.ts
-- never null: source
WITH news AS MATERIALIZED (
  SELECT usdot, kind, max(registry_on) AS registry_on
  FROM visible_carrier_change AS change
  JOIN (VALUES
    ('phone', 'contact'), ('email', 'contact'), ('email_domain', 'contact'), ('address', 'address'), ('policy', 'insurance'),
    ('docket_moved', 'authority'), ('declared_predecessor', 'census')) AS maker (kind, category)
    -- Of a company that appears, only that is recorded.
    ON maker.category = change.category OR field IN ('usdot_status', 'status') AND old_value IS NULL
  WHERE id > $1::bigint
  GROUP BY usdot, kind
),
touched AS (
  SELECT now.kind, now.value, now.usdot, now.sources[1] AS source, true AS is_gained, news.registry_on
  FROM shared_now AS now JOIN news USING (usdot, kind) LEFT JOIN shared_value AS known USING (kind, value, usdot)
  WHERE known.usdot IS NULL OR now.is_now AND NOT known.is_now
  UNION ALL
  SELECT now.kind, now.value, now.usdot, now.sources[1], false, news.registry_on
  FROM shared_now AS now JOIN shared_value AS known USING (kind, value, usdot) LEFT JOIN news USING (usdot, kind)
  WHERE known.is_now AND NOT now.is_now
),
pair AS MATERIALIZED (
  SELECT touched.kind, least(touched.usdot, other.usdot) AS one, greatest(touched.usdot, other.usdot) AS two,
    min(touched.value) AS value, min(touched.source) AS source, bool_or(is_gained) AS is_gained,
    max(registry_on) AS registry_on
  FROM touched JOIN shared_now AS other ON other.kind = touched.kind AND other.value = touched.value
  WHERE other.usdot <> touched.usdot
  GROUP BY 1, 2, 3
),
linked AS (
  SELECT pair.kind, one, two, bool_or(own.is_now AND other.is_now) AS is_now
  FROM pair JOIN shared_now AS own ON own.kind = pair.kind AND own.usdot = one
  JOIN shared_now AS other ON other.kind = pair.kind AND other.value = own.value AND other.usdot = two
  GROUP BY 1, 2, 3
),
compared AS (
  SELECT pair.*, linked.is_now, (
    SELECT bool_or(own.is_now AND other.is_now)
    FROM shared_value AS own JOIN shared_value AS other ON other.kind = own.kind AND other.value = own.value
    WHERE own.kind = pair.kind AND own.usdot = one AND other.usdot = two) AS was_now
  FROM pair JOIN linked USING (kind, one, two)
)
SELECT company.usdot, company.other, kind, value, source, registry_on AS "registryOn", was_now AS "wasNow", is_now AS "isNow"
FROM compared CROSS JOIN LATERAL (VALUES (one, two), (two, one)) AS company (usdot, other)
WHERE was_now IS DISTINCT FROM is_now AND (is_gained OR was_now)
  AND company.usdot IN (SELECT usdot FROM authority)
  AND NOT (kind = 'email_domain' AND EXISTS (
    SELECT FROM pair AS address
    WHERE address.kind = 'email' AND (address.one, address.two) = (compared.one, compared.two)))
ORDER BY company.usdot, company.other, kind
LIMIT $2::int
