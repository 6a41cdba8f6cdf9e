-- How every authority stands, since when, what is pending against it, and what is known of its company.
DROP TABLE IF EXISTS recount.authority_before;
ALTER TABLE IF EXISTS recount.authority RENAME TO authority_before;

-- What the Carrier file says: of several types of a class the one nearest to life.
CREATE TEMP TABLE carrier_word AS
SELECT DISTINCT ON (docket, authority_class, usdot) *
FROM recount.motus WHERE authority_class <> 'unknown'
ORDER BY docket, authority_class, usdot, recount.rank(status), op_auth_type, legal_name, phone;

-- The history's newest day for a class, and for a wording of it.
CREATE TEMP TABLE dated_history AS
SELECT history.*, recount.words(op_auth_type) AS wording FROM recount.history CROSS JOIN recount.reading
WHERE changed_on <= registry_day AND authority_class <> 'unknown';
CREATE INDEX ON dated_history (docket);

-- A loss that the history tells and the Carrier file does not know yet counts.
UPDATE carrier_word SET status = last_word.loss
FROM (
  SELECT carrier_word.docket, carrier_word.authority_class, carrier_word.usdot,
    CASE
      WHEN bool_or(said.status = carrier_word.status) THEN NULL
      WHEN bool_or(said.status = 'inactive') THEN 'inactive'
      WHEN bool_or(said.status = 'withdrawn') THEN 'withdrawn'
    END AS loss
  FROM carrier_word
  JOIN dated_history AS said USING (docket, authority_class)
  WHERE carrier_word.status IN ('active', 'pending')
    AND (said.wording = recount.words(carrier_word.op_auth_type) OR NOT EXISTS (
      SELECT FROM dated_history AS same WHERE same.docket = said.docket
        AND same.authority_class = said.authority_class AND same.wording = recount.words(carrier_word.op_auth_type)))
    AND NOT EXISTS (
      SELECT FROM dated_history AS later WHERE later.docket = said.docket
        AND later.authority_class = said.authority_class AND later.changed_on > said.changed_on
        AND (later.wording = said.wording OR said.wording <> recount.words(carrier_word.op_auth_type)))
  GROUP BY 1, 2, 3
) AS last_word
WHERE last_word.loss IS NOT NULL AND last_word.docket = carrier_word.docket
  AND last_word.authority_class = carrier_word.authority_class AND last_word.usdot = carrier_word.usdot;

-- One row of the frozen registry per docket, for the name and place of what only the history tells of.
CREATE TEMP TABLE legacy_docket AS
SELECT DISTINCT ON (docket) * FROM recount.legacy
ORDER BY docket, recount.rank(status), legal_name, phone;

-- What the history alone tells of: its newest day's status, the worse one first.
CREATE TEMP TABLE history_word AS
SELECT DISTINCT ON (docket, authority_class) docket, authority_class,
  coalesce(dated_history.usdot, legacy_docket.usdot) AS usdot, dated_history.status, op_auth_type,
  legal_name, dba_name, street, city, state, zip, country, phone
FROM dated_history LEFT JOIN (
  SELECT docket, usdot, legal_name, dba_name, street, city, state, zip, country, phone FROM legacy_docket
) AS legacy_docket USING (docket)
WHERE (docket, authority_class) NOT IN (SELECT docket, authority_class FROM carrier_word)
ORDER BY docket, authority_class, changed_on DESC,
  array_position(ARRAY ['inactive', 'withdrawn', 'pending', 'other', 'active'], dated_history.status), op_auth_type;
DELETE FROM history_word WHERE usdot IS NULL;

-- What only an order tells of: as the frozen registry has it, until an order takes effect.
CREATE TEMP TABLE order_word AS
SELECT legacy.docket, legacy.authority_class, legacy.usdot, legacy.status,
  bool_or(notice.effective_on <= registry_day) AS is_in_effect
FROM recount.notice
CROSS JOIN recount.reading
JOIN recount.legacy ON legacy.authority_class = notice.authority_class
  AND CASE WHEN notice.docket IS NULL THEN legacy.usdot = notice.usdot ELSE legacy.docket = notice.docket END
WHERE (legacy.docket, legacy.authority_class) NOT IN (
  SELECT docket, authority_class FROM carrier_word UNION ALL SELECT docket, authority_class FROM history_word)
GROUP BY 1, 2, 3, 4;

CREATE TABLE recount.authority AS
WITH known AS (
  SELECT docket, authority_class, usdot, status, 'motus' AS source, false AS is_flagged,
    legal_name, dba_name, street, city, state, zip, country, phone, op_auth_type
  FROM carrier_word
  UNION ALL
  SELECT docket, authority_class, usdot, status, 'motus', false,
    legal_name, dba_name, street, city, state, zip, country, phone, op_auth_type
  FROM history_word
  UNION ALL
  SELECT legacy.docket, legacy.authority_class, legacy.usdot,
    CASE WHEN is_in_effect THEN 'inactive' ELSE coalesce(order_word.status, legacy.status) END,
    CASE WHEN order_word.docket IS NULL THEN 'legacy' ELSE 'motus' END,
    order_word.docket IS NULL AND is_revoking,
    legal_name, dba_name, street, city, state, zip, country, phone, ''
  FROM recount.legacy LEFT JOIN order_word USING (docket, authority_class, usdot, status)
  WHERE (legacy.docket, legacy.authority_class) NOT IN (
      SELECT docket, authority_class FROM carrier_word UNION ALL SELECT docket, authority_class FROM history_word)
    AND (order_word.docket IS NOT NULL
      OR (legacy.docket, legacy.authority_class) NOT IN (SELECT docket, authority_class FROM recount.ever_in_motus))
)
SELECT DISTINCT ON (docket, authority_class, usdot) *, NULL::date AS granted_on
FROM known
ORDER BY docket, authority_class, usdot, recount.rank(status), op_auth_type, legal_name, phone;

INSERT INTO recount.ever_in_motus
SELECT docket, authority_class, usdot FROM recount.authority WHERE source = 'motus'
ON CONFLICT DO NOTHING;
-- Nobody knows how what has gone from the live files stands; what they once named the frozen registry never decides.
INSERT INTO recount.authority (docket, authority_class, usdot, status, source, is_flagged)
SELECT docket, authority_class, usdot, 'missing', 'motus', false FROM recount.ever_in_motus
WHERE (docket, authority_class) NOT IN (SELECT docket, authority_class FROM recount.authority);
CREATE INDEX ON recount.authority (docket);
CREATE INDEX ON recount.authority (usdot);
CREATE TABLE IF NOT EXISTS recount.authority_before (LIKE recount.authority);
DROP TABLE carrier_word, dated_history, legacy_docket, history_word, order_word;

INSERT INTO recount.first_seen
SELECT docket, authority_class, usdot, coalesce(registry_day_before + 1, registry_day)
FROM recount.authority CROSS JOIN recount.reading
ON CONFLICT DO NOTHING;

-- The day of grant of what is active now: after the last loss before the newest grant, the first grant.
CREATE TEMP TABLE grant_day AS
SELECT docket, authority_class, changed_on AS day FROM recount.history
WHERE meaning = 'grant' AND status = 'active'
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

-- 9.3: an order against an authority that is active, not in effect yet, not cured. Its day is that of its service, or,
-- where that cannot be, of its effect.
-- With the view of records.sql, which is made anew below.
DROP TABLE IF EXISTS recount.pending CASCADE;
CREATE TABLE recount.pending AS
SELECT authority.docket, authority.authority_class, authority.usdot,
  served.day AS served_on, notice.effective_on, notice.order_type, 'motus' AS source,
  coalesce(served.day, notice.effective_on) AS day
FROM recount.reading
JOIN recount.notice ON NOT is_voluntary AND effective_on > registry_day
CROSS JOIN LATERAL (SELECT CASE WHEN served_on <= registry_day THEN served_on END AS day) AS served
JOIN recount.authority ON authority.authority_class = notice.authority_class AND authority.status = 'active'
  AND CASE WHEN notice.docket IS NULL THEN authority.usdot = notice.usdot ELSE authority.docket = notice.docket END
WHERE NOT EXISTS (
  SELECT FROM recount.history AS cure
  WHERE cure.docket = authority.docket AND cure.authority_class = authority.authority_class AND cure.status = 'active'
    AND cure.meaning IN ('grant', 'reinstatement', 'dropped')
    AND cure.changed_on >= coalesce(served.day, notice.effective_on - 30) AND cure.changed_on <= registry_day)
UNION ALL
-- The frozen registry's flags, while its proceedings can still be open; the open row of its history tells their day.
SELECT authority.docket, authority.authority_class, authority.usdot, opened.action_on, opened.action_on + 33, opened.action,
  'legacy', opened.action_on
FROM recount.reading
JOIN recount.authority ON authority.is_flagged AND authority.status = 'active' AND registry_day <= DATE '2026-06-20'
JOIN recount.legacy_history AS opened ON opened.docket = authority.docket
  AND opened.authority_class = authority.authority_class
  AND opened.action = 'INVOLUNTARY REVOCATION' AND opened.final_action IS NULL AND opened.action_on <= registry_day;

-- Section 8: what stands on more than five active USDOT numbers is nobody's own.
DROP TABLE IF EXISTS recount.blanked;
CREATE TABLE recount.blanked AS
SELECT value FROM (
  SELECT usdot, phone AS value FROM recount.census WHERE status_code = 'A'
  UNION SELECT usdot, cell_phone FROM recount.census WHERE status_code = 'A'
  UNION SELECT usdot, email FROM recount.census WHERE status_code = 'A'
  -- The registry's own phones count too, of what is active and not of a company that is not.
  UNION SELECT usdot, authority.phone FROM recount.authority LEFT JOIN recount.census USING (usdot)
    WHERE authority.status = 'active' AND coalesce(status_code, 'A') = 'A'
) AS filed
WHERE value IS NOT NULL GROUP BY value HAVING count(DISTINCT usdot) > 5
UNION
SELECT value FROM recount.agent WHERE kind = 'phone';

-- Facts of the census, but a phone it lacks; of a company that is not in it, Motus' else the frozen registry's.
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
    coalesce(census.phone, filer.phone) AS phone, cell_phone, email, power_units, drivers, general_freight
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
