-- How every authority stands, since when, what is pending against it, and what is known of its company.
DROP TABLE IF EXISTS recount.authority_before;
ALTER TABLE IF EXISTS recount.authority RENAME TO authority_before;

-- What Motus knows of a docket's class is so; the frozen registry speaks for the rest. Of several rows that say
-- different things of one authority, the one nearest to life.
CREATE TABLE recount.authority AS
WITH known AS (
  SELECT docket, authority_class, usdot, status, 'motus' AS source, false AS is_flagged,
    legal_name, dba_name, street, city, state, zip, country, phone, op_auth_type
  FROM recount.motus WHERE authority_class <> 'unknown'
  UNION ALL
  SELECT docket, authority_class, usdot, status, 'legacy', is_revoking,
    legal_name, dba_name, street, city, state, zip, country, phone, ''
  FROM recount.legacy
  WHERE (docket, authority_class) NOT IN (SELECT docket, authority_class FROM recount.motus)
)
SELECT DISTINCT ON (docket, authority_class, usdot) *, NULL::date AS granted_on
FROM known
ORDER BY docket, authority_class, usdot, recount.rank(status), op_auth_type, legal_name, phone;
CREATE INDEX ON recount.authority (docket);
CREATE INDEX ON recount.authority (usdot);
CREATE TABLE IF NOT EXISTS recount.authority_before (LIKE recount.authority);

-- The day of grant of what is active now: after the last loss before the newest grant, the first grant.
CREATE TEMP TABLE grant_day AS
SELECT docket, authority_class, changed_on AS day FROM recount.history
WHERE upper(reason) = 'GRANTED' AND status = 'active'
UNION
SELECT docket, authority_class, action_on FROM recount.legacy_history WHERE action = 'GRANTED';
DELETE FROM grant_day WHERE day IS NULL OR day > (SELECT registry_day FROM recount.reading);

CREATE TEMP TABLE loss_day AS
SELECT docket, authority_class, changed_on AS day FROM recount.history WHERE status IN ('inactive', 'withdrawn')
UNION
SELECT docket, authority_class, final_on FROM recount.legacy_history
-- Of the final actions those that end an authority: not a proceeding stopped, a number changed, an application withdrawn.
WHERE final_action IN ('REVOKED', 'FAILURE TO REAPPLY', 'ADMINISTRATIVE INACTIVATION', 'TRANSFERRED',
  'TRANSFER CONSUMMATED', 'OUT OF SERVICE', 'SAFETY REVOCATION', 'SAFETY SUSPENSION', 'EXPIRED ETA OR TA', 'TERM EXPIRED');
DELETE FROM loss_day WHERE day IS NULL OR day > (SELECT registry_day FROM recount.reading);
CREATE INDEX ON grant_day (docket);
CREATE INDEX ON loss_day (docket);
ANALYZE grant_day, loss_day;

UPDATE recount.authority SET granted_on = (
  SELECT min(grant_day.day) FROM grant_day
  WHERE grant_day.docket = lives.docket AND grant_day.authority_class = lives.authority_class
    AND (lost_on IS NULL OR grant_day.day >= lost_on))
FROM (
  SELECT docket, authority_class, (
    SELECT max(loss_day.day) FROM loss_day
    WHERE loss_day.docket = newest.docket AND loss_day.authority_class = newest.authority_class
      AND loss_day.day <= newest.day) AS lost_on
  FROM (SELECT docket, authority_class, max(day) AS day FROM grant_day GROUP BY docket, authority_class) AS newest
) AS lives
WHERE authority.docket = lives.docket AND authority.authority_class = lives.authority_class;
DROP TABLE grant_day, loss_day;

-- 9.3: an order against an authority that is active, served, not in effect yet, not cured.
DROP TABLE IF EXISTS recount.pending_before;
ALTER TABLE IF EXISTS recount.pending RENAME TO pending_before;
CREATE TABLE recount.pending AS
SELECT authority.docket, authority.authority_class, authority.usdot,
  notice.served_on, notice.effective_on, notice.order_type, 'motus' AS source
FROM recount.reading
JOIN recount.notice ON order_type ILIKE '%involuntary%' AND served_on <= registry_day AND effective_on > registry_day
JOIN recount.authority ON authority.authority_class = notice.authority_class AND authority.status = 'active'
  AND CASE WHEN notice.docket IS NULL THEN authority.usdot = notice.usdot ELSE authority.docket = notice.docket END
WHERE NOT EXISTS (
  SELECT FROM recount.history AS cure
  WHERE cure.docket = authority.docket AND cure.authority_class = authority.authority_class AND cure.status = 'active'
    AND cure.reason ~* '^(reinstated.*|granted|discontinued revocation)$'
    AND cure.changed_on >= notice.served_on AND cure.changed_on <= registry_day)
UNION ALL
-- The frozen registry's flags, while its proceedings can still be open; the open row of its history tells their day.
SELECT authority.docket, authority.authority_class, authority.usdot, opened.action_on, opened.action_on + 33, opened.action,
  'legacy'
FROM recount.reading
JOIN recount.authority ON authority.is_flagged AND authority.status = 'active' AND registry_day <= DATE '2026-06-20'
JOIN recount.legacy_history AS opened ON opened.docket = authority.docket
  AND opened.authority_class = authority.authority_class
  AND opened.action = 'INVOLUNTARY REVOCATION' AND opened.final_action IS NULL AND opened.action_on <= registry_day;
CREATE TABLE IF NOT EXISTS recount.pending_before (LIKE recount.pending);

-- Section 8: what stands on more than five active USDOT numbers is nobody's own.
DROP TABLE IF EXISTS recount.blanked;
CREATE TABLE recount.blanked AS
SELECT value FROM (
  SELECT usdot, phone AS value FROM recount.census WHERE status_code = 'A'
  UNION SELECT usdot, cell_phone FROM recount.census WHERE status_code = 'A'
  UNION SELECT usdot, email FROM recount.census WHERE status_code = 'A'
) AS filed
WHERE value IS NOT NULL GROUP BY value HAVING count(DISTINCT usdot) > 5
UNION
SELECT value FROM recount.agent WHERE kind = 'phone';

-- Facts of the census; of a company that is not in it, Motus' else the frozen registry's.
DROP TABLE IF EXISTS recount.company;
CREATE TABLE recount.company AS
WITH filer AS (
  SELECT DISTINCT ON (usdot) *
  FROM recount.authority
  ORDER BY usdot, source = 'motus' DESC, status = 'active' DESC, docket, authority_class
),
facts AS (
  SELECT census.usdot, status_code, coalesce(census.legal_name, filer.legal_name) AS legal_name, census.dba_name,
    census.street, census.city, coalesce(census.state, filer.state) AS state, census.zip, county, census.country,
    census.phone, cell_phone, email, power_units, drivers, general_freight
  FROM recount.census LEFT JOIN filer USING (usdot)
  UNION ALL
  SELECT usdot, NULL, legal_name, dba_name, street, city, state, zip, NULL, country, phone, NULL, NULL, NULL, NULL, NULL
  FROM filer WHERE usdot NOT IN (SELECT usdot FROM recount.census)
)
SELECT facts.usdot, status_code, legal_name, dba_name, street, city, state_zone.state, zip, country,
  coalesce(county_zone.zone, state_zone.zone) AS time_zone,
  CASE WHEN phone NOT IN (TABLE recount.blanked) THEN phone END AS phone,
  CASE WHEN cell_phone NOT IN (TABLE recount.blanked) THEN cell_phone END AS cell_phone,
  CASE WHEN email NOT IN (TABLE recount.blanked)
    AND split_part(email, '@', 2) NOT IN (SELECT value FROM recount.agent WHERE kind = 'email_domain') THEN email END AS email,
  power_units, drivers, general_freight
FROM facts
-- Provinces and the like have no zone in the table, and no place in a feed.
LEFT JOIN recount.state_zone ON state_zone.state = facts.state
LEFT JOIN recount.county_zone ON county_zone.state = facts.state AND county_zone.county = facts.county
WHERE recount.is_customer_of_interest(facts.usdot, country, legal_name);
CREATE UNIQUE INDEX ON recount.company (usdot);
CREATE INDEX ON recount.pending (docket);
ANALYZE recount.authority, recount.pending, recount.blanked, recount.company;
