-- name: countFiled :exec
-- How many active USDOT numbers file each contact. A USDOT number that is not active files its contacts here too, when it
-- has an authority: so a contact that it shares with one active number has a row.
INSERT INTO filed_contact (value, usdot_count)
WITH filer AS (
  SELECT usdot, status_code = 'A' AS is_active, phone, cell_phone, email FROM census
  WHERE status_code = 'A' OR usdot IN (SELECT usdot FROM authority WHERE status = 'active' OR in_motus)
)
SELECT value, count(*) FILTER (WHERE is_active)
FROM (
  SELECT phone AS value, is_active FROM filer WHERE phone IS NOT NULL
  UNION ALL
  SELECT cell_phone, is_active FROM filer WHERE cell_phone IS NOT NULL AND cell_phone IS DISTINCT FROM phone
  UNION ALL
  SELECT email, is_active FROM filer WHERE email IS NOT NULL
  UNION ALL
  (SELECT DISTINCT ON (authority.usdot, registry_phone) registry_phone,
     authority.status = 'active' AND coalesce(census.status_code, 'A') = 'A'
   FROM authority LEFT JOIN census USING (usdot)
   WHERE (authority.status = 'active' OR authority.in_motus) AND registry_phone IS NOT NULL
     AND registry_phone IS DISTINCT FROM census.phone AND registry_phone IS DISTINCT FROM census.cell_phone
   ORDER BY authority.usdot, registry_phone, authority.status = 'active' DESC)
) AS contact
GROUP BY value HAVING count(*) > 1 AND count(*) FILTER (WHERE is_active) > 0;

-- name: deleteFiled :exec
DELETE FROM agent_contact WHERE from_filings;

-- name: deleteShared :exec
DELETE FROM shared_contact;
DELETE FROM filed_contact;

-- name: deleteShipped :exec
DELETE FROM agent_contact WHERE shipped;

-- name: findAgentContacts :many
-- The contacts of process agents: those of the census company that has an agent's name and state. A contact of several
-- agents has the companies of the largest.
-- params: names, states, companies, marks, publicEmailDomains
-- never null: companies
SELECT DISTINCT ON (kind, value) kind, value, agent.companies
FROM (
  SELECT state, legal_name AS spelled, phone, cell_phone, email FROM census WHERE legal_name IS NOT NULL
  UNION ALL
  SELECT state, dba_name, phone, cell_phone, email FROM census WHERE dba_name IS NOT NULL
) AS company
-- Making a name takes long, so it is compared last: IS NOT DISTINCT FROM keeps it out of the hash.
JOIN unnest($1::text[], $2::text[], $3::int[]) AS agent (name, state, companies)
  ON agent.state = company.state
  AND left(agent.name, 1) = CASE
      WHEN strpos($4::text, left(spelled, 1)) > 0 THEN upper(left(ltrim(spelled, $4), 1))
      ELSE upper(left(spelled, 1))
    END
  AND agent.name IS NOT DISTINCT FROM upper(translate(spelled, $4, ''))
CROSS JOIN LATERAL (
  VALUES ('phone', phone), ('phone', cell_phone),
    (CASE WHEN split_part(email, '@', 2) = ANY ($5::text[]) THEN 'email' ELSE 'email_domain' END,
      CASE WHEN split_part(email, '@', 2) = ANY ($5::text[]) THEN email ELSE split_part(email, '@', 2) END)
) AS contact (kind, value)
WHERE value IS NOT NULL
ORDER BY kind, value, agent.companies DESC;

-- name: findAgents :many
-- The process agents: companies that the BOC-3 filings of many companies name. Names are compared without case, blanks
-- and punctuation (`marks`).
-- params: marks, mostUsdots
WITH filing AS MATERIALIZED (
  SELECT agent, agent_state AS state, coalesce(usdot::text, docket) AS company FROM motus_boc3 WHERE agent IS NOT NULL
  UNION ALL
  SELECT agent, agent_state, coalesce(usdot::text, docket) FROM legacy_boc3 WHERE agent IS NOT NULL
),
-- Few agents file for many companies, so a spelling's name is made once and not for each filing.
spelling AS MATERIALIZED (
  SELECT agent, state, upper(translate(agent, $1::text, '')) AS name
  FROM filing WHERE state IS NOT NULL GROUP BY agent, state
)
SELECT name, state, count(*)::int AS companies
FROM (SELECT DISTINCT name, state, company FROM filing JOIN spelling USING (agent, state)) AS named
GROUP BY name, state HAVING count(*) > $2;

-- name: insertFiled :exec
-- params: kinds, values, companies
INSERT INTO agent_contact (kind, value, note, shipped, from_filings)
SELECT kind, value, format('process agent of %s companies', companies), false, true
FROM unnest($1::text[], $2::text[], $3::int[]) AS contact (kind, value, companies)
ON CONFLICT (kind, value) DO NOTHING;

-- name: insertPhoneExchanges :exec
-- params: exchanges, phoneTypes
INSERT INTO phone_exchange (exchange, phone_type) SELECT * FROM unnest($1::text[], $2::text[])
ON CONFLICT (exchange) DO NOTHING;

-- name: insertShared :exec
-- params: limit
INSERT INTO shared_contact (value, usdot_count)
SELECT value, usdot_count FROM filed_contact WHERE usdot_count > $1;

-- name: insertShipped :exec
-- params: entries
INSERT INTO agent_contact (kind, value, note, shipped)
SELECT kind, value, note, true FROM jsonb_to_recordset($1) AS entry (kind text, value text, note text)
ON CONFLICT (kind, value) DO NOTHING;
