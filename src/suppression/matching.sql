-- Which businesses each identifier stands for, as the registry tells now, and whether more share it than one request
-- may remove. The same work is done whether or not anything is found.
-- $1 text[] kinds, $2 text[] values, $3 how many businesses are looked for under one identifier at most (null: all),
-- $4 on how many active USDOT numbers a contact may stand without being shared, $5 under how many businesses in all.
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
        OR EXISTS (SELECT FROM shared_contact WHERE shared_contact.value = asked.value)
        OR EXISTS (
          SELECT FROM agent_contact
          WHERE (agent_contact.kind, agent_contact.value)
            IN (('phone', asked.value), ('email_domain', split_part(asked.value, '@', 2))))
      ) AS is_shared
  FROM (
    -- A USDOT number is that business, also when the registry does not know it yet.
    SELECT CASE asked.kind WHEN 'usdot' THEN asked.value::integer END AS usdot WHERE asked.kind = 'usdot'
    -- A docket is whoever holds it by any file that feeds or events are made of.
    UNION (SELECT usdot FROM authority WHERE asked.kind = 'docket' AND docket = asked.value LIMIT $3)
    UNION (SELECT usdot FROM motus_carrier WHERE asked.kind = 'docket' AND docket = asked.value LIMIT $3)
    UNION (
      SELECT DISTINCT usdot FROM motus_authhist
      WHERE asked.kind = 'docket' AND docket = asked.value AND usdot IS NOT NULL LIMIT $3)
    UNION (
      SELECT DISTINCT usdot FROM motus_revokesuspend
      WHERE asked.kind = 'docket' AND docket = asked.value AND usdot IS NOT NULL LIMIT $3)
    UNION (
      SELECT usdot FROM legacy_carrier
      WHERE asked.kind = 'docket' AND docket = asked.value AND usdot IS NOT NULL LIMIT $3)
    -- A contact is everyone who files it.
    UNION (SELECT usdot FROM census WHERE asked.kind = 'phone' AND phone = asked.value LIMIT $3)
    UNION (SELECT usdot FROM census WHERE asked.kind = 'phone' AND cell_phone = asked.value LIMIT $3)
    UNION (
      SELECT DISTINCT usdot FROM authority WHERE asked.kind = 'phone' AND registry_phone = asked.value LIMIT $3)
    UNION (SELECT usdot FROM census WHERE asked.kind = 'email' AND email = asked.value LIMIT $3)
  ) AS filed
) AS found
