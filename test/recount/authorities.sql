-- The status of every authority, its grant day, pending orders against it, and the facts about its company.
DROP TABLE IF EXISTS recount.authority_before;
ALTER TABLE IF EXISTS recount.authority RENAME TO authority_before;

-- The status in the Carrier file: of several types of a class the most active one.
CREATE TEMP TABLE carrier_status AS
SELECT DISTINCT ON (docket, authority_class, usdot) *
FROM recount.motus WHERE authority_class <> 'unknown'
ORDER BY docket, authority_class, usdot, recount.rank(status), op_auth_type, legal_name, phone;

-- The history rows up to the as-of day, with the class's wording.
CREATE TEMP TABLE dated_history AS
SELECT history.*, recount.words(op_auth_type) AS wording FROM recount.history CROSS JOIN recount.import_day
WHERE changed_on <= registry_day AND authority_class <> 'unknown';
CREATE INDEX ON dated_history (docket);

-- What the history says of each of them. A row in the wording of another type of the same authority is about that type.
CREATE TEMP TABLE said AS
SELECT held.docket, authority_class, held.usdot, told.status, told.changed_on
FROM carrier_status AS held JOIN dated_history AS told USING (docket, authority_class)
WHERE coalesce(told.usdot = held.usdot, true)
  AND (wording = recount.words(held.op_auth_type)
    OR (held.docket, authority_class, held.usdot, wording) NOT IN (
      SELECT docket, authority_class, usdot, recount.words(op_auth_type) FROM recount.motus));

-- A loss in the history overrides a Carrier file that does not have it yet. A status that nobody knows is a loss.
UPDATE carrier_status SET status = later_loss.loss
FROM (
  SELECT docket, authority_class, usdot,
    CASE
      WHEN bool_or(said.status = held.status) THEN NULL
      WHEN bool_or(said.status = 'inactive') THEN 'inactive'
      WHEN bool_or(said.status = 'withdrawn') THEN 'withdrawn'
      WHEN bool_or(said.status = 'other') THEN 'inactive'
    END AS loss
  FROM carrier_status AS held JOIN said USING (docket, authority_class, usdot)
  WHERE held.status IN ('active', 'pending')
    AND changed_on = (
      SELECT max(newest.changed_on) FROM said AS newest
      WHERE newest.docket = held.docket AND newest.authority_class = held.authority_class AND newest.usdot = held.usdot)
  GROUP BY 1, 2, 3
) AS later_loss
WHERE later_loss.loss IS NOT NULL AND later_loss.docket = carrier_status.docket
  AND later_loss.authority_class = carrier_status.authority_class AND later_loss.usdot = carrier_status.usdot;

-- One row of the legacy registry per docket: names and addresses for authorities that are only in the history.
CREATE TEMP TABLE legacy_docket AS
SELECT DISTINCT ON (docket) * FROM recount.legacy
ORDER BY docket, recount.rank(status), legal_name, phone;

-- Authorities only in the history: the status of its newest day, the worst one of several.
CREATE TEMP TABLE history_status AS
SELECT DISTINCT ON (docket, authority_class) docket, authority_class,
  coalesce(dated_history.usdot, legacy_docket.usdot) AS usdot, dated_history.status, op_auth_type,
  legal_name, dba_name, street, city, state, zip, country, phone
FROM dated_history LEFT JOIN (
  SELECT docket, usdot, legal_name, dba_name, street, city, state, zip, country, phone FROM legacy_docket
) AS legacy_docket USING (docket)
WHERE (docket, authority_class) NOT IN (SELECT docket, authority_class FROM carrier_status)
ORDER BY docket, authority_class, changed_on DESC,
  array_position(ARRAY ['inactive', 'withdrawn', 'pending', 'other', 'active'], dated_history.status), op_auth_type;
DELETE FROM history_status WHERE usdot IS NULL
  OR ('DOT' || usdot, authority_class) IN (SELECT docket, authority_class FROM carrier_status);

-- What the live files have: a docket with a class, or a company without a docket.
CREATE TEMP TABLE live AS
SELECT docket, authority_class FROM carrier_status UNION SELECT docket, authority_class FROM history_status;
-- The legacy rows that are about none of it.
CREATE TEMP TABLE frozen AS
SELECT * FROM recount.legacy
WHERE (docket, authority_class) NOT IN (TABLE live) AND ('DOT' || usdot, authority_class) NOT IN (TABLE live);

-- Authorities only in an order: the legacy registry's status until an order takes effect.
CREATE TEMP TABLE order_status AS
SELECT legacy.docket, legacy.authority_class, legacy.usdot, legacy.status,
  bool_or(notice.effective_on <= registry_day) AS is_in_effect
FROM recount.notice
CROSS JOIN recount.import_day
JOIN frozen AS legacy ON notice.authority_class IN (legacy.authority_class, 'unknown')
  AND CASE WHEN notice.docket IS NULL THEN legacy.usdot = notice.usdot ELSE legacy.docket = notice.docket END
-- What took effect before the legacy registry stopped is in its status.
WHERE notice.effective_on > DATE '2026-05-14'
GROUP BY 1, 2, 3, 4;

CREATE TABLE recount.authority AS
WITH known AS (
  SELECT docket, authority_class, usdot, status, 'motus' AS source, false AS is_flagged,
    legal_name, dba_name, street, city, state, zip, country, phone, op_auth_type
  FROM carrier_status
  UNION ALL
  SELECT docket, authority_class, usdot, status, 'motus', false,
    legal_name, dba_name, street, city, state, zip, country, phone, op_auth_type
  FROM history_status
  UNION ALL
  SELECT legacy.docket, legacy.authority_class, legacy.usdot,
    CASE WHEN is_in_effect THEN 'inactive' ELSE coalesce(order_status.status, legacy.status) END,
    CASE WHEN order_status.docket IS NULL THEN 'legacy' ELSE 'motus' END,
    order_status.docket IS NULL AND is_revoking,
    legal_name, dba_name, street, city, state, zip, country, phone, ''
  FROM frozen AS legacy LEFT JOIN order_status USING (docket, authority_class, usdot, status)
  WHERE order_status.docket IS NOT NULL
    OR (legacy.docket, legacy.authority_class) NOT IN (SELECT docket, authority_class FROM recount.ever_in_motus)
)
SELECT DISTINCT ON (docket, authority_class, usdot) *, NULL::date AS granted_on
FROM known
ORDER BY docket, authority_class, usdot, recount.rank(status), op_auth_type, legal_name, phone;

INSERT INTO recount.ever_in_motus
SELECT docket, authority_class, usdot FROM recount.authority WHERE source = 'motus'
ON CONFLICT DO NOTHING;
-- The status of an authority that disappeared from the live files is unknown. The legacy registry never decides on an
-- authority that a live file once named.
INSERT INTO recount.authority (docket, authority_class, usdot, status, source, is_flagged)
SELECT docket, authority_class, usdot, 'missing', 'motus', false FROM recount.ever_in_motus
WHERE (docket, authority_class) NOT IN (SELECT docket, authority_class FROM recount.authority);
CREATE INDEX ON recount.authority (docket);
CREATE INDEX ON recount.authority (usdot);
CREATE TABLE IF NOT EXISTS recount.authority_before (LIKE recount.authority);
DROP TABLE carrier_status, dated_history, said, legacy_docket, history_status, live, frozen, order_status;

-- A policy without a docket secures the only docket of its company, and so does one whose docket is that one by another
-- name, or stands where Carrier has none. What is in no file any more is no authority.
DROP TABLE IF EXISTS recount.policy_docket_before;
ALTER TABLE IF EXISTS recount.policy_docket RENAME TO policy_docket_before;
CREATE TABLE recount.policy_docket AS
SELECT named, usdot, CASE
    WHEN named LIKE 'DOT%' OR sole LIKE 'DOT%' OR sole = recount.renamed(named) THEN coalesce(sole, named) ELSE named
  END AS docket
FROM (
  SELECT docket AS named, usdot FROM recount.policy_on_file UNION SELECT docket, usdot FROM recount.policy_ended
) AS policy
LEFT JOIN (
  SELECT usdot, min(docket) AS sole FROM recount.authority WHERE status <> 'missing'
  GROUP BY usdot HAVING count(DISTINCT docket) = 1
) AS holder USING (usdot)
WHERE usdot IS NOT NULL;
CREATE INDEX ON recount.policy_docket (named);
UPDATE recount.policy_on_file AS policy SET docket = held.docket
FROM recount.policy_docket AS held WHERE policy.docket = named AND policy.usdot = held.usdot;
UPDATE recount.policy_ended AS policy SET docket = held.docket
FROM recount.policy_docket AS held WHERE policy.docket = named AND policy.usdot = held.usdot;

-- Of companies that share a docket a policy is about the one that it names.
CREATE OR REPLACE FUNCTION recount.insures(docket text, named integer, holder integer) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT named IS NULL OR named = holder OR named NOT IN (
    SELECT usdot FROM recount.authority WHERE authority.docket = insures.docket AND status <> 'missing')
$$;

-- Each end of a policy is stored with the first import that has it, maybe from before its company had this docket.
CREATE TABLE IF NOT EXISTS recount.policy_docket_before (LIKE recount.policy_docket);
INSERT INTO recount.ending_first_seen
SELECT DISTINCT now.docket, type_code, policy, cancelled_on, known_until
FROM recount.policy_docket AS now LEFT JOIN recount.policy_docket_before AS before USING (named, usdot)
JOIN recount.ending_first_seen AS first_seen ON first_seen.docket = coalesce(before.docket, named)
WHERE first_seen.docket <> now.docket
ON CONFLICT DO NOTHING;
INSERT INTO recount.ending_first_seen
SELECT DISTINCT docket, type_code, policy, cancelled_on, CASE WHEN knows_endings THEN registry_day_before END
FROM recount.policy_ended CROSS JOIN recount.import_day
ON CONFLICT DO NOTHING;
UPDATE recount.import_day SET knows_endings = knows_endings OR EXISTS (SELECT FROM recount.policy_ended);

INSERT INTO recount.first_seen
SELECT docket, authority_class, usdot, coalesce(registry_day_before + 1, registry_day)
FROM recount.authority CROSS JOIN recount.import_day
ON CONFLICT DO NOTHING;

-- Grants and losses. A row of the legacy history is about common or contract authority; all others are about both.
CREATE TEMP TABLE move AS
SELECT docket, authority_class, NULL AS kind, changed_on AS day, status = 'active' AS is_grant FROM recount.history
WHERE meaning = 'grant' AND status = 'active' OR status NOT IN ('active', 'pending')
UNION
SELECT docket, authority_class, kind, action_on, true FROM recount.legacy_history WHERE action = 'GRANTED'
UNION
SELECT docket, authority_class, kind, final_on, false FROM recount.legacy_history
-- Final actions that end an authority; others stop a proceeding, change a number or withdraw an application.
WHERE final_action IN ('REVOKED', 'FAILURE TO REAPPLY', 'ADMINISTRATIVE INACTIVATION', 'TRANSFERRED',
  'TRANSFER CONSUMMATED', 'OUT OF SERVICE', 'SAFETY REVOCATION', 'SAFETY SUSPENSION', 'EXPIRED ETA OR TA', 'TERM EXPIRED');
DELETE FROM move WHERE day IS NULL OR day > (SELECT registry_day FROM recount.import_day);
CREATE INDEX ON move (docket);
ANALYZE move;

-- The grant day of each kind: the first grant after the last loss before the newest grant. That of the authority is the
-- earliest of the kinds that were not lost since, else the latest.
UPDATE recount.authority SET granted_on = granted.day
FROM (
  SELECT docket, authority_class, coalesce(min(day) FILTER (WHERE NOT is_lost), max(day)) AS day
  FROM (
    SELECT docket, authority_class, newest.kind,
      (SELECT min(move.day) FROM move
       WHERE move.docket = newest.docket AND move.authority_class = newest.authority_class AND is_grant
         AND coalesce(move.kind = newest.kind, true) AND move.day >= coalesce(lost.day, move.day)) AS day,
      EXISTS (SELECT FROM move
       WHERE move.docket = newest.docket AND move.authority_class = newest.authority_class AND NOT is_grant
         AND coalesce(move.kind = newest.kind, true) AND move.day > newest.day) AS is_lost
    FROM (
      SELECT docket, authority_class, kinds.kind, max(move.day) AS day
      FROM (
        SELECT docket, authority_class, unnest(CASE WHEN max(kind) IS NULL THEN ARRAY [NULL] ELSE array_agg(DISTINCT kind) FILTER (WHERE kind IS NOT NULL) END) AS kind
        FROM move GROUP BY docket, authority_class
      ) AS kinds
      JOIN move USING (docket, authority_class)
      WHERE is_grant AND coalesce(move.kind = kinds.kind, true)
      GROUP BY docket, authority_class, kinds.kind
    ) AS newest
    CROSS JOIN LATERAL (
      SELECT max(move.day) AS day FROM move
      WHERE move.docket = newest.docket AND move.authority_class = newest.authority_class AND NOT is_grant
        AND coalesce(move.kind = newest.kind, true) AND move.day <= newest.day
    ) AS lost
  ) AS of_kind
  GROUP BY docket, authority_class
) AS granted
WHERE authority.docket = granted.docket AND authority.authority_class = granted.authority_class;
DROP TABLE move;

-- 9.3: an order against an active authority that is not in effect yet and not cured. Its day is the day of service, or,
-- if that is impossible, the day on which it takes effect.
-- CASCADE also drops the view of records.sql, which is created again below.
DROP TABLE IF EXISTS recount.pending CASCADE;
CREATE TABLE recount.pending AS
SELECT authority.docket, authority.authority_class, authority.usdot,
  served.day AS served_on, notice.effective_on, notice.order_type, 'motus' AS source,
  coalesce(served.day, notice.effective_on) AS day
FROM recount.import_day
JOIN recount.notice ON NOT is_voluntary AND effective_on > registry_day
CROSS JOIN LATERAL (SELECT CASE WHEN served_on <= registry_day THEN served_on END AS day) AS served
JOIN recount.authority ON notice.authority_class IN (authority.authority_class, 'unknown') AND authority.status = 'active'
  AND CASE WHEN notice.docket IS NULL THEN authority.usdot = notice.usdot ELSE authority.docket = notice.docket
    -- Carrier may have the company's authority without the docket of the order.
    OR authority.docket = 'DOT' || notice.usdot AND (notice.docket, authority.authority_class, notice.usdot) NOT IN (
      SELECT docket, authority_class, usdot FROM recount.motus) END
-- Of companies that share a docket an order is against the one that it names.
WHERE NOT EXISTS (
  SELECT FROM recount.authority AS meant
  WHERE meant.docket = authority.docket AND meant.authority_class = authority.authority_class
    AND meant.usdot = notice.usdot AND authority.usdot <> notice.usdot)
AND NOT EXISTS (
  SELECT FROM recount.history AS cure
  WHERE cure.docket IN (authority.docket, notice.docket) AND cure.authority_class = authority.authority_class AND cure.status = 'active'
    AND cure.meaning IN ('grant', 'reinstatement', 'dropped')
    AND coalesce(cure.usdot = authority.usdot, true)
    AND cure.changed_on >= coalesce(served.day, notice.effective_on - 30) AND cure.changed_on <= registry_day
    -- A cure of another type that the docket has, too, cures that one.
    AND (SELECT count(DISTINCT recount.words(op_auth_type)) FROM recount.motus AS typed
      WHERE typed.docket = authority.docket AND typed.authority_class = authority.authority_class
        AND recount.words(typed.op_auth_type) IN (notice.wording, recount.words(cure.op_auth_type))) < 2)
UNION ALL
-- The legacy registry's flags, while its proceedings can still be open. Their day is in the open row of its history.
SELECT authority.docket, authority.authority_class, authority.usdot, opened.action_on, opened.action_on + 33, opened.action,
  'legacy', opened.action_on
FROM recount.import_day
JOIN recount.authority ON authority.is_flagged AND authority.status = 'active' AND registry_day <= DATE '2026-06-20'
JOIN recount.legacy_history AS opened ON opened.docket = authority.docket
  AND opened.authority_class = authority.authority_class
  AND opened.action = 'INVOLUNTARY REVOCATION' AND opened.final_action IS NULL AND opened.action_on <= registry_day;

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
CREATE INDEX ON recount.pending (docket);
ANALYZE recount.authority, recount.pending, recount.filing, recount.blanked, recount.company;
