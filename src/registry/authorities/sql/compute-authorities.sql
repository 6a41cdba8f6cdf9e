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
-- What AuthHist says of these authorities. Rows of another company that has the docket too say nothing of this one.
said AS (
  SELECT docket, authority_class, carrier.usdot, row.op_auth_type, row.status, row.changed_on
  FROM carrier JOIN motus_authhist AS row USING (docket, authority_class)
  WHERE coalesce(row.usdot = carrier.usdot, true)
),
-- The statuses that AuthHist gives the authority on its newest day. A row of a type that Carrier has in a row of its own is
-- about that one. Any other wording may mean this authority: history rows also have short forms.
newest_history AS (
  SELECT docket, authority_class, usdot, array_agg(status) AS statuses
  FROM (
    SELECT said.docket, said.authority_class, said.usdot, said.status,
      rank() OVER (PARTITION BY said.docket, said.authority_class, said.usdot ORDER BY said.changed_on DESC) AS rank
    FROM said JOIN carrier USING (docket, authority_class, usdot)
    WHERE said.changed_on <= $1::date AND (upper(said.op_auth_type) = upper(carrier.op_auth_type) OR NOT EXISTS (
      SELECT FROM motus_carrier AS of_other_type
      WHERE of_other_type.docket = said.docket AND of_other_type.authority_class = said.authority_class
        AND of_other_type.usdot = said.usdot AND upper(of_other_type.op_auth_type) = upper(said.op_auth_type)))
  ) AS history
  WHERE rank = 1
  GROUP BY docket, authority_class, usdot
),
-- The status of Carrier, unless AuthHist records a loss that Carrier does not show yet: if the two files contradict
-- each other, the loss counts, and so does a status that is not known.
motus AS (
  SELECT carrier.docket, carrier.authority_class, carrier.usdot, op_auth_type,
    CASE
      WHEN status NOT IN ('active', 'pending') OR statuses IS NULL OR status = ANY (statuses) THEN status
      WHEN 'inactive' = ANY (statuses) THEN 'inactive'
      WHEN 'withdrawn' = ANY (statuses) THEN 'withdrawn'
      WHEN statuses <@ ARRAY['active', 'pending'] THEN status
      ELSE 'inactive'
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
    -- Carrier has it without a docket.
    AND NOT EXISTS (
      SELECT FROM carrier WHERE carrier.docket = 'DOT' || coalesce(h.usdot, filed.usdot)
        AND carrier.authority_class = h.authority_class)
  ORDER BY h.docket, h.authority_class, h.changed_on DESC,
    coalesce(array_position(ARRAY ['inactive', 'withdrawn', 'pending', 'another word', 'active'], h.status), 4),
    h.usdot NULLS LAST, h.row_id
),
-- The authorities that Motus has without a docket.
docketless AS (
  SELECT usdot, authority_class FROM carrier WHERE docket LIKE 'DOT%'
  UNION
  SELECT usdot, authority_class FROM history WHERE docket LIKE 'DOT%'
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
    AND NOT EXISTS (
      SELECT FROM docketless WHERE docketless.usdot = l.usdot AND docketless.authority_class = l.authority_class)
  ORDER BY docket, authority_class, usdot, array_position(ARRAY ['active', 'pending', 'inactive'], status), row_id
),
-- Orders of Motus on authorities that its other files do not name: these stay as they are until the order takes effect. An
-- order of an unknown class is about every authority of its docket.
-- The legacy status already includes orders from before that registry stopped.
ordered AS (
  SELECT docket, authority_class, usdot, bool_or(effective_on <= $1::date) AS has_taken_effect
  FROM (
    SELECT legacy.docket, legacy.authority_class, legacy.usdot,
      coalesce(notice.effective_on, notice.served_on + 30) AS effective_on
    FROM legacy JOIN motus_revokesuspend AS notice
      ON notice.docket = legacy.docket AND notice.authority_class IN (legacy.authority_class, 'unknown')
    UNION ALL
    SELECT legacy.docket, legacy.authority_class, legacy.usdot,
      coalesce(notice.effective_on, notice.served_on + 30)
    FROM legacy JOIN motus_revokesuspend AS notice
      ON notice.docket IS NULL AND notice.usdot = legacy.usdot AND notice.authority_class IN (legacy.authority_class, 'unknown')
  ) AS notice
  WHERE effective_on > $3::date
  GROUP BY docket, authority_class, usdot
),
-- include: datesOfGrant
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
  coalesce(granted.granted_on, former.granted_on, renamed.granted_on) AS granted_on,
  now.revocation_pending, now.legal_name AS registry_name, now.dba_name AS registry_dba_name,
  now.street AS registry_street, now.city AS registry_city, now.state AS registry_state, now.zip AS registry_zip,
  now.country AS registry_country, now.phone AS registry_phone,
  coalesce(before.first_seen_on, $2::date) AS first_seen_on, now.status_source = 'motus' AS in_motus
FROM (SELECT * FROM known UNION ALL SELECT * FROM missing) AS now
LEFT JOIN granted USING (docket, authority_class)
LEFT JOIN authority AS before USING (docket, authority_class, usdot)
-- The history of an authority whose prefix changed is under its former docket, maybe of an earlier import.
LEFT JOIN granted AS former ON granted.docket IS NULL AND former.docket = other_prefix(now.docket)
  AND former.authority_class = now.authority_class AND former.holder = now.usdot
LEFT JOIN LATERAL (
  SELECT earlier.granted_on FROM authority AS earlier
  WHERE granted.docket IS NULL AND earlier.docket = other_prefix(now.docket)
    AND earlier.authority_class = now.authority_class AND earlier.usdot = now.usdot) AS renamed ON true;
