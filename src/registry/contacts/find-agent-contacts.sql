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
ORDER BY kind, value, agent.companies DESC
