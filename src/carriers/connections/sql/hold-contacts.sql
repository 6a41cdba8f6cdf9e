-- name: holdContacts :exec
-- The phones and e-mail addresses of each USDOT number in each file, now and as far as their changes were recorded, and the
-- domains of the addresses. Contacts of agents, those that are blanked as shared, and domains of which anybody can have
-- an address are left out.
-- params: legacyFrozenOn, freeDomains
-- reads: held_value, named_now
INSERT INTO held_value (kind, value, usdot, source, is_now, set_on, lost_on)
WITH contact AS (
  SELECT 'phone' AS kind, phone AS value, usdot, 'census' AS source, true AS is_now, NULL::date AS set_on,
    NULL::date AS lost_on
  FROM census WHERE phone IS NOT NULL
  UNION ALL
  SELECT 'phone', cell_phone, usdot, 'census', true, NULL, NULL
  FROM census WHERE cell_phone IS NOT NULL AND cell_phone IS DISTINCT FROM phone
  UNION ALL
  SELECT DISTINCT 'phone', phone, usdot, 'motus_carrier', true, NULL::date, NULL::date
  FROM motus_carrier WHERE phone IS NOT NULL
  UNION ALL
  SELECT DISTINCT 'phone', phone, usdot, 'legacy_carrier', named_now.usdot IS NULL, NULL::date,
    CASE WHEN named_now.usdot IS NOT NULL THEN $1::date END
  FROM legacy_carrier LEFT JOIN named_now USING (usdot) WHERE usdot IS NOT NULL AND phone IS NOT NULL
  UNION ALL
  SELECT 'email', email, usdot, 'census', true, NULL, NULL FROM census WHERE email IS NOT NULL
  UNION ALL
  SELECT CASE field WHEN 'email' THEN 'email' ELSE 'phone' END, side.value #>> '{}', usdot, source, false, side.set_on,
    side.lost_on
  FROM visible_carrier_change
  CROSS JOIN LATERAL (VALUES (old_value, NULL, as_of), (new_value, as_of, NULL)) AS side (value, set_on, lost_on)
  WHERE category = 'contact' AND field IN ('phone', 'cell_phone', 'email') AND side.value #>> '{}' IS NOT NULL
),
linking AS (
  SELECT contact.*, split_part(value, '@', 2) AS domain
  FROM contact
  WHERE value NOT IN (SELECT value FROM shared_contact)
    AND value NOT IN (SELECT value FROM agent_contact WHERE kind IN ('phone', 'email'))
    AND split_part(value, '@', 2) NOT IN (SELECT value FROM agent_contact WHERE kind = 'email_domain')
)
SELECT kind, value, usdot, source, is_now, set_on, lost_on FROM linking
UNION ALL
SELECT 'email_domain', domain, usdot, source, is_now, set_on, lost_on
FROM linking WHERE kind = 'email' AND domain NOT IN (SELECT unnest($2::text[]))
