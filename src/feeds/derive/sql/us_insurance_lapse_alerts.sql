-- part: us_insurance_lapse_alerts
-- Authorities whose insurance or bond ends or is missing, and those suspended for that: sections 9.4 and 9.8 of the
-- registry's reference. One record per authority, for the gravest alert: a suspension, then a cancellation, then a
-- missing filing. Alerts bring their records along, so nothing joins the two again: whatever the planner expects, it
-- cannot compare each with each.
WITH
cancelled AS (
  SELECT DISTINCT ON (eligible.docket, eligible.authority_class, eligible.usdot)
    eligible.*, 2 AS rank, 'cancellation' AS alert_reason,
    (ARRAY ['bipd', 'cargo', 'bond', 'trust_fund'])[ended_policy.type_code::integer] AS insurance_type,
    ended_policy.cancelled_on AS cancellation_effective, ended_policy.insurer
  FROM eligible
  JOIN motus_ended_policy AS ended_policy ON ended_policy.docket = eligible.docket
    AND (ended_policy.usdot = eligible.usdot OR is_policy_of(ended_policy.docket, ended_policy.usdot, eligible.usdot))
    -- Liability insurance for carriers, a bond or trust fund for brokers, either for freight forwarders.
    AND ended_policy.kind = ANY (CASE eligible.authority_class
      WHEN 'broker' THEN ARRAY ['security']
      WHEN 'freight_forwarder' THEN ARRAY ['bipd', 'security']
      ELSE ARRAY ['bipd'] END)
  JOIN cancellation_notice AS notice ON notice.docket = ended_policy.docket AND notice.type_code = ended_policy.type_code
    AND notice.policy_key = ended_policy.policy_key AND notice.cancelled_on = ended_policy.cancelled_on
  WHERE eligible.authority_status = 'active'
    AND ended_policy.ending IN ('cancelled', 'unknown')
    AND ended_policy.cancelled_on BETWEEN eligible.as_of - 30 AND eligible.as_of + 90
    -- No other policy continues the cover. A policy whose first day cannot be read began when it was filed at the latest.
    AND NOT EXISTS (
      SELECT FROM motus_policy AS other
      WHERE (other.usdot = eligible.usdot OR is_policy_of(other.docket, other.usdot, eligible.usdot))
        AND (coalesce(other.effective_on, other.filed_on) <= ended_policy.cancelled_on + 1) IS NOT FALSE AND
-- include: coversInstead
    )
    AND NOT
-- include: isFiledAgain
  ORDER BY eligible.docket, eligible.authority_class, eligible.usdot,
    ended_policy.cancelled_on >= eligible.as_of DESC,
    abs(ended_policy.cancelled_on - eligible.as_of), ended_policy.policy_key
),
missing AS (
  SELECT DISTINCT ON (eligible.docket, eligible.authority_class, eligible.usdot)
    eligible.*, 3 AS rank, 'not_on_file' AS alert_reason, lack.insurance_type, NULL::date AS cancellation_effective,
    NULL AS insurer
  FROM eligible
  JOIN motus_carrier AS filed ON filed.docket = eligible.docket
    AND filed.authority_class = eligible.authority_class AND filed.usdot = eligible.usdot AND filed.status = 'active'
  CROSS JOIN LATERAL (
    VALUES
      -- The record's own amounts, so that it never contradicts its alert. An unknown amount is no lack.
      (1, 'bipd', eligible.insurance_required > 0 AND eligible.insurance_on_file < eligible.insurance_required),
      (2, 'bond', filed.bond_required AND NOT filed.bond_on_file),
      (3, 'cargo', filed.authority_class = 'carrier_hhg' AND filed.cargo_required AND NOT filed.cargo_on_file)
  ) AS lack (rank, insurance_type, is_missing)
  WHERE eligible.authority_status = 'active' AND lack.is_missing
  ORDER BY eligible.docket, eligible.authority_class, eligible.usdot, lack.rank
)
SELECT DISTINCT ON (docket, authority_class, usdot) *
FROM (
  SELECT *, 1 AS rank, 'suspended' AS alert_reason, NULL AS insurance_type, NULL::date AS cancellation_effective,
    NULL AS insurer
  FROM eligible WHERE suspended_on IS NOT NULL
  UNION ALL
  SELECT * FROM cancelled
  UNION ALL
  SELECT * FROM missing
) AS alert
ORDER BY docket, authority_class, usdot, rank
