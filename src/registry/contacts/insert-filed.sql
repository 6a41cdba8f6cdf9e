-- The contacts of process agents: those of the census company that has an agent's name and state. Names are compared
-- without case, blanks and punctuation.
-- params: mostUsdots, publicEmailDomains
WITH filing AS MATERIALIZED (
  SELECT agent, agent_state AS state, coalesce(usdot::text, docket) AS company FROM motus_boc3 WHERE agent IS NOT NULL
  UNION ALL
  SELECT agent, agent_state, coalesce(usdot::text, docket) FROM legacy_boc3 WHERE agent IS NOT NULL
),
-- Few agents file for many companies, so a spelling's name is made once and not for each filing.
spelling AS MATERIALIZED (
  SELECT agent, state, upper(translate(agent, ' .,''"&-/()', '')) AS name
  FROM filing GROUP BY agent, state
),
agent AS MATERIALIZED (
  SELECT name, state, left(name, 1) AS initial, count(*) AS companies
  FROM (SELECT DISTINCT name, state, company FROM filing JOIN spelling USING (agent, state)) AS named
  GROUP BY name, state HAVING count(*) > $1
),
-- Making a name takes long. Most companies are left out by their state and initial. What translate leaves out above is
-- no initial.
likely AS MATERIALIZED (
  SELECT state, spelled, phone, cell_phone, email
  FROM (
    SELECT state, legal_name AS spelled, phone, cell_phone, email FROM census WHERE legal_name IS NOT NULL
    UNION ALL
    SELECT state, dba_name, phone, cell_phone, email FROM census WHERE dba_name IS NOT NULL
  ) AS named
  WHERE (state, CASE
      WHEN strpos(' .,''"&-/()', left(spelled, 1)) > 0 THEN upper(left(ltrim(spelled, ' .,''"&-/()'), 1))
      ELSE upper(left(spelled, 1))
    END) IN (SELECT state, initial FROM agent)
),
company AS (
  SELECT companies, phone, cell_phone, email
  FROM likely JOIN agent ON agent.state = likely.state AND agent.name = upper(translate(spelled, ' .,''"&-/()', ''))
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
