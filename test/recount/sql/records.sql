-- The records of the five feeds.
DROP TABLE IF EXISTS recount.feed_day, recount.record;
CREATE TABLE recount.feed_day AS
SELECT feed, day FROM recount.import_day CROSS JOIN LATERAL (
  VALUES
    -- A feed's as-of day is that of the oldest file it needs.
    ('us_new_authority_weekly', least(statuses_day, history_day, notices_day, census_day),
      ARRAY ['carrier', 'history', 'notices', 'census']),
    ('us_small_carriers_active', least(statuses_day, history_day, notices_day, census_day),
      ARRAY ['carrier', 'history', 'notices', 'census']),
    ('us_revocation_pending', least(statuses_day, history_day, notices_day), ARRAY ['carrier', 'history', 'notices']),
    ('us_brokers', least(statuses_day, history_day, notices_day), ARRAY ['carrier', 'history', 'notices']),
    ('us_insurance_lapse_alerts', least(statuses_day, history_day, policies_day, endings_day),
      ARRAY ['carrier', 'history', 'policies', 'endings'])
) AS days (feed, day, files)
-- A feed is live only when all its files were imported.
WHERE day IS NOT NULL AND files <@ ARRAY (
  SELECT 'census' WHERE EXISTS (SELECT FROM recount.plain_census)
  UNION ALL SELECT 'carrier' WHERE EXISTS (SELECT FROM recount.plain_motus_carrier)
  UNION ALL SELECT 'history' WHERE EXISTS (SELECT FROM recount.plain_motus_authhist)
  UNION ALL SELECT 'notices' WHERE EXISTS (SELECT FROM recount.plain_motus_revokesuspend)
  UNION ALL SELECT 'policies' WHERE EXISTS (SELECT FROM recount.plain_motus_insur)
  UNION ALL SELECT 'endings' WHERE EXISTS (SELECT FROM recount.plain_motus_inshist));

-- Pending revocation: by an order of Motus, or by a flag of the legacy registry while its flags are valid.
DROP VIEW IF EXISTS recount.feed_authority;
CREATE VIEW recount.feed_authority AS
SELECT authority.docket, authority.authority_class, authority.usdot, authority.status, source, granted_on,
  is_flagged AND registry_day <= DATE '2026-06-20'
    OR EXISTS (
      SELECT FROM recount.pending WHERE pending.docket = authority.docket
        AND pending.authority_class = authority.authority_class AND pending.usdot = authority.usdot) AS is_pending,
  authority_class IN ('carrier_property', 'carrier_hhg') AS is_carrier
FROM recount.authority CROSS JOIN recount.import_day
WHERE authority_class IN ('carrier_property', 'carrier_hhg', 'broker', 'freight_forwarder');

CREATE TABLE recount.record (
  feed text, docket text, authority_class text, usdot integer, status text, source text, granted_on date,
  order_type text, order_served date, order_effective date,
  alert_reason text, insurance_type text, cancellation_effective date, insurer text, authority_types text[]);

-- 9.1, one record per company: its newest grant of the last 28 days.
INSERT INTO recount.record (feed, docket, authority_class, usdot, status, source, granted_on, authority_types)
SELECT DISTINCT ON (usdot) feed, docket, authority_class, usdot, status, source, granted_on, ARRAY (
    SELECT DISTINCT also.authority_class FROM recount.feed_authority AS also
    WHERE also.usdot = feed_authority.usdot AND also.status = 'active' AND also.is_carrier AND NOT also.is_pending
      AND also.granted_on > day - 28 AND also.granted_on <= day
    ORDER BY 1 DESC)
FROM recount.feed_authority
JOIN recount.company USING (usdot)
JOIN recount.feed_day ON feed = 'us_new_authority_weekly'
WHERE status = 'active' AND is_carrier AND NOT is_pending AND status_code = 'A'
  AND granted_on > day - 28 AND granted_on <= day
ORDER BY usdot, granted_on DESC, docket, authority_class = 'carrier_property' DESC;

-- 9.2, one record per company: its first grant. Companies with any pending revocation are left out.
INSERT INTO recount.record (feed, docket, authority_class, usdot, status, source, granted_on, authority_types)
SELECT DISTINCT ON (usdot) feed, docket, authority_class, usdot, status, source, granted_on, ARRAY (
    SELECT DISTINCT also.authority_class FROM recount.feed_authority AS also
    WHERE also.usdot = feed_authority.usdot AND also.status = 'active' AND also.is_carrier
      AND coalesce(also.granted_on <= day, true)
    ORDER BY 1 DESC)
FROM recount.feed_authority
JOIN recount.company USING (usdot)
JOIN recount.feed_day ON feed = 'us_small_carriers_active'
WHERE status = 'active' AND is_carrier AND status_code = 'A' AND power_units >= 1 AND power_units <= 20
  AND coalesce(granted_on <= day, true)
  AND usdot NOT IN (SELECT usdot FROM recount.feed_authority WHERE status = 'active' AND is_carrier AND is_pending)
ORDER BY usdot, granted_on NULLS LAST, docket, authority_class = 'carrier_property' DESC;

-- 9.5, one record per company and class.
INSERT INTO recount.record
SELECT DISTINCT ON (usdot, authority_class) feed, docket, authority_class, usdot, status, source, granted_on
FROM recount.feed_authority
JOIN recount.company USING (usdot)
JOIN recount.feed_day ON feed = 'us_brokers'
WHERE status = 'active' AND NOT is_carrier AND NOT is_pending AND coalesce(granted_on <= day, true)
ORDER BY usdot, authority_class, granted_on NULLS LAST, docket;

-- 9.3, one record per authority: the order that takes effect first; of several, the one served first.
INSERT INTO recount.record
SELECT DISTINCT ON (docket, authority_class, usdot) feed, docket, authority_class, usdot, status, feed_authority.source, granted_on,
  order_type, served_on, effective_on
FROM recount.feed_authority
JOIN recount.pending USING (docket, authority_class, usdot)
JOIN recount.company USING (usdot)
JOIN recount.feed_day ON feed = 'us_revocation_pending'
WHERE status = 'active' AND coalesce(granted_on <= feed_day.day, true)
ORDER BY docket, authority_class, usdot, effective_on, served_on NULLS LAST, order_type;

-- 9.4, one record per authority: suspended, else a cancellation without replacement, else nothing on file.
CREATE TEMP TABLE alert AS
SELECT 1 AS priority, feed_authority.*, 'suspended' AS reason, NULL::text AS kind, NULL::date AS cancelled_on, NULL::text AS insurer,
  NULL::text AS policy
FROM recount.feed_authority
JOIN recount.feed_day ON feed = 'us_insurance_lapse_alerts'
WHERE status = 'inactive' AND EXISTS (
  SELECT FROM recount.history AS suspension
  WHERE suspension.docket = feed_authority.docket AND suspension.authority_class = feed_authority.authority_class
    AND (suspension.usdot IS NULL OR suspension.usdot = feed_authority.usdot)
    AND suspension.status = 'inactive'
    AND suspension.meaning = 'lapse'
    AND suspension.changed_on BETWEEN day - 30 AND day
    AND suspension.changed_on >= ALL (
      SELECT changed_on FROM recount.history AS revival
      WHERE revival.docket = feed_authority.docket AND revival.authority_class = feed_authority.authority_class
        AND (revival.usdot IS NULL OR revival.usdot = feed_authority.usdot)
        AND revival.status = 'active' AND revival.changed_on <= day));

INSERT INTO alert
SELECT 2, feed_authority.*, 'cancellation', lost.type_code, lost.cancelled_on, lost.insurer, lost.policy
FROM recount.feed_authority
JOIN recount.feed_day ON feed = 'us_insurance_lapse_alerts'
CROSS JOIN recount.import_day
JOIN recount.policy_ended AS lost ON lost.docket = feed_authority.docket
  AND recount.insures(lost.docket, lost.usdot, feed_authority.usdot)
  AND (lost.type_code = '1' AND authority_class <> 'broker'
    OR lost.type_code IN ('3', '4') AND authority_class IN ('broker', 'freight_forwarder'))
LEFT JOIN recount.ending_first_seen AS first_seen ON first_seen.docket = lost.docket AND first_seen.type_code = lost.type_code
  AND first_seen.policy = lost.policy AND first_seen.cancelled_on = lost.cancelled_on
WHERE status = 'active'
  AND lost.ending IN ('cancelled', 'lost') AND lost.cancelled_on >= day - 30 AND lost.cancelled_on <= day + 90
  -- The same policy filed again after the notice of its end. The day of a notice in the first file is unknown, but notices
  -- come 30 days ahead: a later filing of a policy older than that is a new one.
  AND NOT EXISTS (
    SELECT FROM recount.policy_on_file AS again
    WHERE again.docket = lost.docket AND again.kind = lost.kind AND again.policy = lost.policy
      AND CASE
        WHEN first_seen.known_until IS NOT NULL THEN again.filed_on > first_seen.known_until
        ELSE again.filed_on > lost.cancelled_on - 30 AND (
          EXISTS (
            SELECT FROM recount.policy_on_file AS earlier
            WHERE earlier.docket = again.docket AND earlier.kind = again.kind AND earlier.policy = again.policy
              AND earlier.filed_on < again.filed_on)
          OR EXISTS (
            SELECT FROM recount.policy_ended AS same
            WHERE same.docket = lost.docket AND same.type_code = lost.type_code AND same.policy = lost.policy
              AND same.cancelled_on = lost.cancelled_on
              -- Of a policy that began on an unreadable day nobody says that it is new.
              AND coalesce(same.effective_on, '-infinity') <= lost.cancelled_on - 30))
      END)
  -- Another policy with the same cover replaces it, unless that one has ended too and was not filed again since.
  AND NOT EXISTS (
    SELECT FROM recount.policy_on_file AS other
    WHERE other.docket = lost.docket AND other.kind = lost.kind AND other.policy NOT IN ('', lost.policy)
      AND recount.insures(other.docket, other.usdot, feed_authority.usdot)
      AND (other.cover_class = 'primary' OR other.cover_class = 'excess' AND lost.cover_class = 'excess')
      AND coalesce(other.effective_on, other.filed_on, '-infinity') <= lost.cancelled_on + 1
      AND NOT EXISTS (
        SELECT FROM recount.policy_ended AS ended
        WHERE ended.docket = other.docket AND ended.kind = other.kind AND ended.policy = other.policy
          AND ended.ending IS NOT NULL
          AND CASE
            WHEN ended.cancelled_on IS NULL THEN true
            WHEN other.filed_on > ended.cancelled_on THEN false
            ELSE ended.cancelled_on <= greatest(day, lost.cancelled_on + 1)
          END));

INSERT INTO alert
SELECT 3, feed_authority.*, 'not_on_file',
  CASE
    WHEN highest.on_file < highest.required THEN '1'
    WHEN bond_required AND NOT bond_on_file THEN '3'
    ELSE '2'
  END
FROM recount.feed_authority
JOIN recount.motus USING (docket, authority_class, usdot)
-- Rows may differ in their amounts only: the highest count. A broker has no liability insurance.
CROSS JOIN LATERAL (
  SELECT min_coverage AS required, bipd_on_file AS on_file FROM recount.motus AS same
  WHERE same.docket = motus.docket AND same.authority_class = motus.authority_class AND same.usdot = motus.usdot
    AND same.status = 'active'
  ORDER BY min_coverage DESC NULLS LAST, bipd_on_file DESC NULLS LAST LIMIT 1
) AS highest
WHERE feed_authority.status = 'active' AND motus.status = 'active'
  AND (highest.required > 0 AND highest.on_file < highest.required
    OR bond_required AND NOT bond_on_file
    OR authority_class = 'carrier_hhg' AND cargo_required AND NOT cargo_on_file);

INSERT INTO recount.record
SELECT DISTINCT ON (docket, authority_class, usdot) feed, docket, authority_class, usdot, status, source, granted_on,
  NULL, NULL, NULL, reason,
  CASE kind WHEN '1' THEN 'bipd' WHEN '2' THEN 'cargo' WHEN '3' THEN 'bond' WHEN '4' THEN 'trust_fund' END,
  cancelled_on, insurer
FROM alert
JOIN recount.company USING (usdot)
JOIN recount.feed_day ON feed = 'us_insurance_lapse_alerts'
WHERE coalesce(granted_on <= day, true)
ORDER BY docket, authority_class, usdot, priority,
  -- Of several cancellations the next one, else the latest past one; of several missing covers BIPD, bond, cargo.
  cancelled_on < day, CASE WHEN cancelled_on >= day THEN cancelled_on END, cancelled_on DESC, policy,
  kind = '2', kind;
DROP TABLE alert;
