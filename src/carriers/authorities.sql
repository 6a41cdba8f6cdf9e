-- Every operating authority of the touched dockets as it stands now (registry rules: fmcsa section 9.0).
-- $1: the day the registry is read for; rows dated later do not count yet.
CREATE TEMP TABLE authority_now ON COMMIT DROP AS
WITH
-- Motus: one row per docket, class and USDOT number. Where types of one class stand side by side (domestic beside
-- enterprise), the one that is furthest alive speaks for the class.
motus AS (
  SELECT DISTINCT ON (docket, authority_class, usdot) m.*
  FROM motus_carrier AS m JOIN touched_docket USING (docket)
  WHERE authority_class <> 'unknown'
  ORDER BY docket, authority_class, usdot,
    array_position(ARRAY ['active', 'pending', 'inactive', 'withdrawn'], status) NULLS LAST, op_auth_type, row_id
),
-- Legacy: common and contract are the two kinds of carrier authority and count as one; a freight forwarder's
-- authority stands in the same two columns of an FF docket.
legacy_status AS (
  SELECT l.*,
    CASE
      WHEN 'A' IN (common_stat, contract_stat) THEN 'active'
      WHEN common_pending OR contract_pending THEN 'pending'
      WHEN 'I' IN (common_stat, contract_stat) THEN 'inactive'
    END AS carrier_status,
    (common_stat = 'A' AND common_revoking) OR (contract_stat = 'A' AND contract_revoking) AS carrier_revoking,
    CASE
      WHEN broker_stat = 'A' THEN 'active'
      WHEN broker_pending THEN 'pending'
      WHEN broker_stat = 'I' THEN 'inactive'
    END AS broker_status,
    broker_stat = 'A' AND l.broker_revoking AS broker_is_revoking
  FROM legacy_carrier AS l JOIN touched_docket USING (docket)
  WHERE usdot IS NOT NULL
),
legacy_kind AS (
  SELECT l.*, 'freight_forwarder' AS authority_class, 'FREIGHT FORWARDER' AS op_auth_type, carrier_status AS status,
    carrier_revoking AS revoking
  FROM legacy_status AS l WHERE docket LIKE 'FF%'
  UNION ALL
  SELECT l.*, 'carrier_property', 'MOTOR PROPERTY CARRIER', carrier_status, carrier_revoking
  FROM legacy_status AS l WHERE docket NOT LIKE 'FF%' AND (property OR NOT (passenger OR household_goods))
  UNION ALL
  SELECT l.*, 'carrier_hhg', 'HOUSEHOLD GOODS CARRIER', carrier_status, carrier_revoking
  FROM legacy_status AS l WHERE docket NOT LIKE 'FF%' AND household_goods
  UNION ALL
  SELECT l.*, 'passenger', 'MOTOR PASSENGER CARRIER', carrier_status, carrier_revoking
  FROM legacy_status AS l WHERE docket NOT LIKE 'FF%' AND passenger
  UNION ALL
  SELECT l.*, 'broker', 'BROKER', broker_status, broker_is_revoking
  FROM legacy_status AS l WHERE docket NOT LIKE 'FF%'
),
legacy AS (
  SELECT DISTINCT ON (docket, authority_class, usdot) l.*
  FROM legacy_kind AS l
  WHERE status IS NOT NULL
  ORDER BY docket, authority_class, usdot, array_position(ARRAY ['active', 'pending', 'inactive'], status), row_id
),
-- What began and ended an authority, from both histories. A bare "COMMON" or "CONTRACT" of the legacy file speaks
-- for every carrier class of its docket.
moves AS (
  SELECT docket, authority_class, changed_on AS moved_on, upper(reason) = 'GRANTED' AND status = 'active' AS is_grant
  FROM motus_authhist JOIN touched_docket USING (docket)
  WHERE changed_on <= $1 AND (upper(reason) = 'GRANTED' AND status = 'active' OR status IN ('inactive', 'withdrawn'))
  UNION ALL
  SELECT docket, coalesce(spoken.authority_class, h.authority_class), moved_on, is_grant
  FROM (
    SELECT docket, authority_class, action_on AS moved_on, true AS is_grant
    FROM legacy_authhist JOIN touched_docket USING (docket)
    WHERE action = 'GRANTED' AND action_on <= $1
    UNION ALL
    SELECT docket, authority_class, final_on, false
    FROM legacy_authhist JOIN touched_docket USING (docket)
    WHERE final_action IN (
        'REVOKED', 'FAILURE TO REAPPLY', 'ADMINISTRATIVE INACTIVATION', 'TRANSFERRED', 'TRANSFER CONSUMMATED',
        'OUT OF SERVICE', 'SAFETY REVOCATION', 'SAFETY SUSPENSION', 'EXPIRED ETA OR TA', 'TERM EXPIRED')
      AND final_on <= $1
  ) AS h
  LEFT JOIN (VALUES ('carrier', 'carrier_property'), ('carrier', 'carrier_hhg'), ('carrier', 'passenger'))
    AS spoken (said, authority_class) ON spoken.said = h.authority_class
),
-- A life of an authority lasts until it ends; the date of grant is the first grant of its newest life that had one.
lives AS (
  SELECT docket, authority_class, moved_on, is_grant,
    count(*) FILTER (WHERE NOT is_grant) OVER (
      PARTITION BY docket, authority_class ORDER BY moved_on, is_grant ROWS UNBOUNDED PRECEDING) AS life
  FROM moves
),
granted AS (
  SELECT DISTINCT ON (docket, authority_class) docket, authority_class, min(moved_on) AS granted_on
  FROM lives WHERE is_grant
  GROUP BY docket, authority_class, life
  ORDER BY docket, authority_class, life DESC
),
standing AS (
  SELECT docket, authority_class, usdot, op_auth_type, status, 'motus' AS status_source, false AS revocation_pending,
    legal_name, dba_name, street, city, state, zip, country, phone
  FROM motus
  UNION ALL
  -- Motus wins for a docket and class it knows, whatever USDOT number it puts there.
  SELECT docket, authority_class, usdot, op_auth_type, status, 'legacy', coalesce(revoking, false),
    legal_name, dba_name, street, city, state, zip, country, phone
  FROM legacy
  WHERE NOT EXISTS (
    SELECT FROM motus WHERE motus.docket = legacy.docket AND motus.authority_class = legacy.authority_class)
)
SELECT docket, authority_class, usdot, op_auth_type, status, status_source, granted_on, revocation_pending,
  legal_name, dba_name, street, city, state, zip, country, phone
FROM standing LEFT JOIN granted USING (docket, authority_class)
