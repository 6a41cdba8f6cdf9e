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
GROUP BY name, state HAVING count(*) > $2
