-- The status of every authority, and the dockets that policies are under.
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
