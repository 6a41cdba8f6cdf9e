-- The contacts of process agents: those of the census company that has an agent's name and state. Names are compared
-- without case, blanks and punctuation.
-- params: mostUsdots, publicEmailDomains
WITH filing AS (
  SELECT agent, agent_state, usdot, docket FROM motus_boc3 WHERE agent IS NOT NULL
  UNION ALL
  SELECT agent, agent_state, usdot, docket FROM legacy_boc3 WHERE agent IS NOT NULL
),
agent AS (
  SELECT upper(translate(agent, ' .,''"&-/()', '')) AS name, agent_state AS state,
    count(DISTINCT coalesce(usdot::text, docket)) AS companies
  FROM filing GROUP BY 1, 2 HAVING count(DISTINCT coalesce(usdot::text, docket)) > $1
),
company AS (
  SELECT companies, phone, cell_phone, email
  FROM census JOIN agent ON agent.state = census.state
    AND agent.name = upper(translate(census.legal_name, ' .,''"&-/()', ''))
  UNION ALL
  SELECT companies, phone, cell_phone, email
  FROM census JOIN agent ON agent.state = census.state
    AND agent.name = upper(translate(census.dba_name, ' .,''"&-/()', ''))
)
INSERT INTO agent_contact (kind, value, note, shipped, from_filings)
SELECT DISTINCT ON (kind, value) kind, value, format('process agent of %s companies', companies), false, true
FROM company CROSS JOIN LATERAL (
  VALUES ('phone', phone), ('phone', cell_phone),
    (CASE WHEN split_part(email, '@', 2) = ANY ($2::text[]) THEN 'email' ELSE 'email_domain' END,
      CASE WHEN split_part(email, '@', 2) = ANY ($2::text[]) THEN email ELSE split_part(email, '@', 2) END)
) AS contact (kind, value)
WHERE value IS NOT NULL
ORDER BY kind, value, companies DESC
ON CONFLICT (kind, value) DO NOTHING
