-- name: findMatches :many
-- The businesses that each identifier matches in the registry, and whether more share it than one request may remove.
-- It takes the same work whether or not anything matches.
-- `mostFound` limits the businesses to look up for one identifier, unless null. An identifier is shared if it is a contact
-- on more than `mostSharing` active USDOT numbers, or matches more than `mostInAll` businesses.
-- params: kinds, values, mostFound?, mostSharing, mostInAll
-- typed: kind IdentifierKind from ./asked.ts
-- never null: kind, value, is_shared
-- plan: once
SELECT asked.kind, asked.value, found.usdots, found.is_shared
FROM unnest($1::text[], $2::text[]) AS asked (kind, value)
CROSS JOIN LATERAL (
  SELECT
    coalesce(array_agg(filed.usdot ORDER BY filed.usdot), '{}') AS usdots,
    count(*) > $5
      OR asked.kind IN ('phone', 'email') AND (
        count(*) FILTER (
          WHERE EXISTS (SELECT FROM census WHERE census.usdot = filed.usdot AND census.status_code = 'A')
            OR EXISTS (SELECT FROM authority WHERE authority.usdot = filed.usdot AND authority.status = 'active')
        ) > $4
        OR EXISTS (SELECT FROM shared_contact WHERE shared_contact.value = asked.value AND usdot_count > $4)
        OR EXISTS (
          SELECT FROM agent_contact
          WHERE (agent_contact.kind, agent_contact.value)
            IN (('phone', asked.value), ('email', asked.value), ('email_domain', split_part(asked.value, '@', 2))))
      ) AS is_shared
  FROM (
    -- A USDOT number matches its business, even before the registry has it.
    SELECT CASE asked.kind WHEN 'usdot' THEN asked.value::integer END AS usdot WHERE asked.kind = 'usdot'
    -- A docket matches its holders in every file that feeds or events use.
    UNION (SELECT usdot FROM authority WHERE asked.kind = 'docket' AND docket = asked.value LIMIT $3)
    UNION (SELECT usdot FROM motus_carrier WHERE asked.kind = 'docket' AND docket = asked.value LIMIT $3)
    UNION (
      SELECT DISTINCT usdot FROM motus_authhist
      WHERE asked.kind = 'docket' AND docket = asked.value AND usdot IS NOT NULL LIMIT $3)
    UNION (
      SELECT DISTINCT usdot FROM motus_authhist
      WHERE asked.kind = 'docket' AND named_docket = asked.value AND usdot IS NOT NULL LIMIT $3)
    UNION (
      SELECT DISTINCT usdot FROM motus_revokesuspend
      WHERE asked.kind = 'docket' AND docket = asked.value AND usdot IS NOT NULL LIMIT $3)
    UNION (
      SELECT usdot FROM legacy_carrier
      WHERE asked.kind = 'docket' AND docket = asked.value AND usdot IS NOT NULL LIMIT $3)
    -- A contact matches every business that files it.
    UNION (SELECT usdot FROM census WHERE asked.kind = 'phone' AND phone = asked.value LIMIT $3)
    UNION (SELECT usdot FROM census WHERE asked.kind = 'phone' AND cell_phone = asked.value LIMIT $3)
    UNION (
      SELECT DISTINCT usdot FROM authority WHERE asked.kind = 'phone' AND registry_phone = asked.value LIMIT $3)
    UNION (SELECT usdot FROM census WHERE asked.kind = 'email' AND email = asked.value LIMIT $3)
  ) AS filed
) AS found;
