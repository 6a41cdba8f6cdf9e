-- The facts about the company of every authority.

-- Section 8: a contact on more than five active USDOT numbers is shared.
DROP TABLE IF EXISTS recount.blanked, recount.filing;
CREATE TABLE recount.filing AS
SELECT DISTINCT usdot, value FROM (
  SELECT usdot, phone AS value FROM recount.census WHERE status_code = 'A'
  UNION SELECT usdot, cell_phone FROM recount.census WHERE status_code = 'A'
  UNION SELECT usdot, email FROM recount.census WHERE status_code = 'A'
  -- Phones in the authority files count too, for active authorities of companies that are not inactive.
  UNION SELECT usdot, authority.phone FROM recount.authority LEFT JOIN recount.census USING (usdot)
    WHERE authority.status = 'active' AND coalesce(status_code, 'A') = 'A'
) AS filed
WHERE value IS NOT NULL;
CREATE INDEX ON recount.filing (value);
CREATE TABLE recount.blanked AS
SELECT value FROM recount.filing GROUP BY value HAVING count(*) > 5
UNION
SELECT value FROM recount.agent WHERE kind = 'phone'
UNION
SELECT value FROM recount.agent_of_filings WHERE kind = 'value';

-- Facts come from the census, except a missing phone. For a company not in it they come from Motus, else from the
-- legacy registry.
DROP TABLE IF EXISTS recount.company;
CREATE TABLE recount.company AS
WITH filer AS (
  SELECT DISTINCT ON (usdot) *
  FROM recount.authority
  ORDER BY usdot, legal_name IS NULL, source = 'motus' DESC, status = 'active' DESC, docket, authority_class
),
facts AS (
  SELECT census.usdot, status_code, coalesce(census.legal_name, filer.legal_name) AS legal_name, census.dba_name,
    census.street, census.city, coalesce(census.state, filer.state) AS state, census.zip, county, census.country,
    coalesce(census.phone, filer.phone) AS phone, cell_phone, email, power_units, drivers, general_freight,
    carrier_operation, hazmat, cargo, safety_rating,
    safety_rating_date, mcs150_date, annual_mileage, mileage_year, usdot_added, is_individual
  FROM recount.census LEFT JOIN filer USING (usdot)
  UNION ALL
  SELECT usdot, NULL, legal_name, dba_name, street, city, state, zip, NULL, country, phone, NULL, NULL, NULL, NULL, NULL,
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
  FROM filer WHERE usdot NOT IN (SELECT usdot FROM recount.census)
)
SELECT facts.usdot, status_code, legal_name, dba_name, street, city, state_zone.state,
  recount.zip(zip, facts.state) AS zip, country,
  coalesce(county_zone.zone, state_zone.zone) AS time_zone,
  CASE WHEN phone NOT IN (TABLE recount.blanked) THEN phone END AS phone,
  CASE WHEN cell_phone NOT IN (TABLE recount.blanked) THEN cell_phone END AS cell_phone,
  CASE WHEN email NOT IN (TABLE recount.blanked)
    AND split_part(email, '@', 2) NOT IN (SELECT value FROM recount.agent WHERE kind = 'email_domain')
    AND split_part(email, '@', 2) NOT IN (SELECT value FROM recount.agent_of_filings WHERE kind = 'domain') THEN email END AS email,
  power_units, drivers, general_freight, carrier_operation, hazmat, cargo, safety_rating,
  safety_rating_date, mcs150_date, annual_mileage, mileage_year, usdot_added, is_individual,
  CASE WHEN phone IS NOT NULL THEN (SELECT count(*)::integer FROM recount.filing AS other
    WHERE other.value = phone AND other.usdot <> facts.usdot) END AS phone_shared_by,
  CASE WHEN email IS NOT NULL THEN (SELECT count(*)::integer FROM recount.filing AS other
    WHERE other.value = email AND other.usdot <> facts.usdot) END AS email_shared_by
FROM facts
-- Foreign provinces have no zone in the table, and are in no feed.
LEFT JOIN recount.state_zone ON state_zone.state = facts.state
LEFT JOIN recount.county_zone ON county_zone.state = facts.state AND county_zone.county = facts.county
WHERE recount.is_customer_of_interest(facts.usdot, country, legal_name);
CREATE UNIQUE INDEX ON recount.company (usdot);
ANALYZE recount.authority, recount.pending, recount.filing, recount.blanked, recount.company;
