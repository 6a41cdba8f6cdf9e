-- name: computeAuthorities :exec
-- The state of every operating authority of the touched dockets (sections 9.0 and 9.8 of the registry's reference).
-- Rows dated after the as-of day do not count yet. An authority that was not known before gets firstSeenOn.
-- params: asOf, firstSeenOn, legacyFrozenOn, legacyCarrierClasses
-- reads: touched_once
-- makes: authority_now
CREATE TEMP TABLE authority_now ON COMMIT DROP AS
WITH
-- Motus Carrier: one row per docket, class and USDOT number. Of several types of one class, such as domestic and
-- enterprise, the row with the most active status is kept.
carrier AS (
  SELECT DISTINCT ON (docket, authority_class, usdot) m.*
  FROM motus_carrier AS m JOIN touched_docket USING (docket)
  WHERE authority_class <> 'unknown'
  ORDER BY docket, authority_class, usdot,
    array_position(ARRAY ['active', 'pending', 'inactive', 'withdrawn'], status) NULLS LAST, op_auth_type, row_id
),
-- The statuses that AuthHist gives the authority on its newest day. Rows of the same type count where there are any, and none
-- about another company that has the docket too.
newest_history AS (
  SELECT carrier.docket, carrier.authority_class, carrier.usdot, array_agg(history.status) AS statuses
  FROM carrier CROSS JOIN LATERAL (
    SELECT status, rank() OVER (
      ORDER BY (upper(op_auth_type) = upper(carrier.op_auth_type)) DESC, changed_on DESC) AS rank
    FROM motus_authhist
    WHERE motus_authhist.docket = carrier.docket AND motus_authhist.authority_class = carrier.authority_class
      AND coalesce(motus_authhist.usdot = carrier.usdot, true) AND changed_on <= $1::date
  ) AS history
  WHERE rank = 1
  GROUP BY carrier.docket, carrier.authority_class, carrier.usdot
),
-- The status of Carrier, unless AuthHist records a loss that Carrier does not show yet: if the two files contradict
-- each other, the loss counts.
motus AS (
  SELECT carrier.docket, carrier.authority_class, carrier.usdot, op_auth_type,
    CASE
      WHEN status NOT IN ('active', 'pending') OR statuses IS NULL OR status = ANY (statuses) THEN status
      WHEN 'inactive' = ANY (statuses) THEN 'inactive'
      WHEN 'withdrawn' = ANY (statuses) THEN 'withdrawn'
      ELSE status
    END AS status,
    legal_name, dba_name, street, city, state, zip, country, phone
  FROM carrier LEFT JOIN newest_history USING (docket, authority_class, usdot)
),
-- Authorities that only AuthHist has: their newest row gives the status. Of several rows of that day, the least active
-- status is kept.
history AS (
  SELECT DISTINCT ON (h.docket, h.authority_class)
    h.docket, h.authority_class, coalesce(h.usdot, filed.usdot) AS usdot, h.op_auth_type, h.status,
    filed.legal_name, filed.dba_name, filed.street, filed.city, filed.state, filed.zip, filed.country, filed.phone
  FROM motus_authhist AS h JOIN touched_docket USING (docket)
  LEFT JOIN LATERAL (
    SELECT * FROM legacy_carrier AS l WHERE l.docket = h.docket AND l.usdot IS NOT NULL ORDER BY row_id LIMIT 1
  ) AS filed ON true
  WHERE h.authority_class <> 'unknown' AND h.changed_on <= $1::date
    AND NOT EXISTS (
      SELECT FROM carrier WHERE carrier.docket = h.docket AND carrier.authority_class = h.authority_class)
    -- Carrier has the authority under the other prefix: its docket alone changed. The function is called for the rows of
    -- Carrier, of which there are fewer.
    AND NOT EXISTS (
      SELECT FROM carrier WHERE other_prefix(carrier.docket) = h.docket AND carrier.authority_class = h.authority_class
        AND carrier.usdot = coalesce(h.usdot, filed.usdot))
  ORDER BY h.docket, h.authority_class, h.changed_on DESC,
    coalesce(array_position(ARRAY ['inactive', 'withdrawn', 'pending', 'another word', 'active'], h.status), 4),
    h.usdot NULLS LAST, h.row_id
),
-- Legacy: common and contract are the two kinds of carrier authority and count as one. The row of an FF docket has the
-- freight forwarder's authority in the same two columns.
legacy_status AS NOT MATERIALIZED (
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
  FROM legacy_carrier AS l JOIN touched_docket USING (docket) WHERE usdot IS NOT NULL
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
    -- Motus decides on a docket and class that it has, even if it gives them another USDOT number.
    AND NOT EXISTS (
      SELECT FROM carrier WHERE carrier.docket = l.docket AND carrier.authority_class = l.authority_class)
    AND NOT EXISTS (
      SELECT FROM carrier WHERE other_prefix(carrier.docket) = l.docket AND carrier.authority_class = l.authority_class
        AND carrier.usdot = l.usdot)
    AND NOT EXISTS (
      SELECT FROM history WHERE history.docket = l.docket AND history.authority_class = l.authority_class)
  ORDER BY docket, authority_class, usdot, array_position(ARRAY ['active', 'pending', 'inactive'], status), row_id
),
-- Orders of Motus on authorities that its other files do not name: these stay as they are until the order takes effect.
-- The legacy status already includes orders from before that registry stopped.
ordered AS (
  SELECT docket, authority_class, usdot, bool_or(effective_on <= $1::date) AS has_taken_effect
  FROM (
    SELECT legacy.docket, legacy.authority_class, legacy.usdot,
      coalesce(notice.effective_on, notice.served_on + 30) AS effective_on
    FROM legacy JOIN motus_revokesuspend AS notice
      ON notice.docket = legacy.docket AND notice.authority_class = legacy.authority_class
    UNION ALL
    SELECT legacy.docket, legacy.authority_class, legacy.usdot,
      coalesce(notice.effective_on, notice.served_on + 30)
    FROM legacy JOIN motus_revokesuspend AS notice
      ON notice.docket IS NULL AND notice.usdot = legacy.usdot AND notice.authority_class = legacy.authority_class
  ) AS notice
  WHERE effective_on > $3::date
  GROUP BY docket, authority_class, usdot
),
-- Grants and ends of authorities, from both histories. A bare "COMMON" or "CONTRACT" of the legacy file is about every
-- carrier class of its docket.
moves AS (
  SELECT docket, authority_class, changed_on AS moved_on, meaning = 'grant' AND status = 'active' AS is_grant
  FROM motus_history JOIN touched_docket USING (docket)
  WHERE changed_on <= $1::date AND (meaning = 'grant' AND status = 'active' OR status IN ('inactive', 'withdrawn'))
  UNION ALL
  SELECT docket, coalesce(carrier_class.authority_class, h.authority_class), moved_on, is_grant
  FROM (
    SELECT docket, authority_class, action_on AS moved_on, true AS is_grant
    FROM legacy_authhist JOIN touched_docket USING (docket)
    WHERE action_on <= $1::date AND action = ANY (ARRAY (
      SELECT value FROM registry_word
      WHERE vocabulary = 'legacy_authhist.ORIGINAL_ACTION_DESC' AND meaning = 'grant'))
    UNION ALL
    SELECT docket, authority_class, final_on, false
    FROM legacy_authhist JOIN touched_docket USING (docket)
    WHERE final_on <= $1::date AND final_action = ANY (ARRAY (
      SELECT value FROM registry_word
      WHERE vocabulary = 'legacy_authhist.DISP_ACTION_DESC' AND meaning IN ('end', 'unknown')))
  ) AS h
  LEFT JOIN (SELECT 'carrier' AS bare, unnest($4::text[]) AS authority_class) AS carrier_class
    ON carrier_class.bare = h.authority_class
),
-- A life is the time from one end of an authority to the next. The date of grant is the first grant of the newest life
-- that has a grant.
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
known AS (
  SELECT docket, authority_class, usdot, op_auth_type, status, 'motus' AS status_source, false AS revocation_pending,
    legal_name, dba_name, street, city, state, zip, country, phone
  FROM motus
  UNION ALL
  SELECT docket, authority_class, usdot, op_auth_type, status, 'motus', false,
    legal_name, dba_name, street, city, state, zip, country, phone
  FROM history WHERE usdot IS NOT NULL
  UNION ALL
  SELECT legacy.docket, legacy.authority_class, legacy.usdot, op_auth_type,
    CASE WHEN has_taken_effect THEN 'inactive' ELSE status END,
    CASE WHEN has_taken_effect IS NULL THEN 'legacy' ELSE 'motus' END,
    coalesce(revoking, false) AND has_taken_effect IS NULL,
    legal_name, dba_name, street, city, state, zip, country, phone
  FROM legacy LEFT JOIN ordered USING (docket, authority_class, usdot)
  -- An authority that was in Motus once never goes back to the legacy registry.
  WHERE has_taken_effect IS NOT NULL OR NOT EXISTS (
    SELECT FROM authority AS before
    WHERE before.docket = legacy.docket AND before.authority_class = legacy.authority_class AND before.in_motus)
),
-- Authorities that Motus named once and names in no file now: their status is not known.
missing AS (
  SELECT docket, authority_class, usdot, op_auth_type, 'missing', 'motus', false,
    registry_name, registry_dba_name, registry_street, registry_city, registry_state, registry_zip, registry_country,
    registry_phone
  FROM authority AS before JOIN touched_docket USING (docket)
  WHERE in_motus AND NOT EXISTS (
    SELECT FROM known WHERE known.docket = before.docket AND known.authority_class = before.authority_class)
)
SELECT now.docket, now.authority_class, now.usdot, now.op_auth_type, now.status, now.status_source,
  coalesce(granted.granted_on, renamed.granted_on) AS granted_on,
  now.revocation_pending, now.legal_name AS registry_name, now.dba_name AS registry_dba_name,
  now.street AS registry_street, now.city AS registry_city, now.state AS registry_state, now.zip AS registry_zip,
  now.country AS registry_country, now.phone AS registry_phone,
  coalesce(before.first_seen_on, $2::date) AS first_seen_on, now.status_source = 'motus' AS in_motus
FROM (SELECT * FROM known UNION ALL SELECT * FROM missing) AS now
LEFT JOIN granted USING (docket, authority_class)
-- The history of an authority whose prefix changed is under its former docket.
LEFT JOIN LATERAL (
  SELECT earlier.granted_on FROM authority AS earlier
  WHERE granted.docket IS NULL AND earlier.docket = other_prefix(now.docket)
    AND earlier.authority_class = now.authority_class AND earlier.usdot = now.usdot) AS renamed ON true
LEFT JOIN authority AS before USING (docket, authority_class, usdot);
