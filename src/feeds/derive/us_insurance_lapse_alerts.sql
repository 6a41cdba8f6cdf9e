-- Authorities whose insurance or bond ends, is missing, or for whose lack they were suspended: sections 9.4 and 9.8 of
-- the registry's reference. One record per authority: a suspension says more than a cancellation, and that more than a
-- missing filing.
WITH insured AS (
  SELECT subject.*, reading.as_of
  FROM subject CROSS JOIN reading
  WHERE authority_class IN ('carrier_property', 'carrier_hhg', 'broker', 'freight_forwarder')
),
-- A policy ended when it was cancelled or replaced; cancelled filings can remain among the policies on file.
ended AS (
  SELECT docket, kind, policy_key, cancelled_on
  FROM motus_ended_policy
  WHERE ending IN ('cancelled', 'replaced')
),
cancelled AS (
  SELECT DISTINCT ON (insured.docket, insured.authority_class, insured.usdot)
    insured.docket, insured.authority_class, insured.usdot,
    gone.type_code, gone.cancelled_on, gone.insurer
  FROM insured
  JOIN motus_ended_policy AS gone ON gone.docket = insured.docket
    -- Liability insurance for carriers, a bond or trust fund for brokers, either for freight forwarders.
    AND gone.kind = ANY (CASE insured.authority_class
      WHEN 'broker' THEN ARRAY ['security']
      WHEN 'freight_forwarder' THEN ARRAY ['bipd', 'security']
      ELSE ARRAY ['bipd'] END)
  JOIN cancellation_notice AS notice ON notice.docket = gone.docket AND notice.type_code = gone.type_code
    AND notice.policy_key = gone.policy_key AND notice.cancelled_on = gone.cancelled_on
  WHERE insured.authority_status = 'active'
    AND gone.ending = 'cancelled'
    AND gone.cancelled_on BETWEEN insured.as_of - 30 AND insured.as_of + 90
    -- No other policy takes over. An excess policy never replaces a primary one; a bond and a trust fund replace each
    -- other;
    AND NOT EXISTS (
      SELECT FROM motus_policy AS other
      WHERE other.docket = gone.docket AND other.kind = gone.kind
        AND other.policy_key NOT IN ('', gone.policy_key)
        AND (other.layer = 'primary' OR other.layer = 'excess' AND gone.layer = 'excess')
        AND other.effective_on <= gone.cancelled_on + 1
        AND NOT EXISTS (
          SELECT FROM ended
          WHERE ended.docket = other.docket AND ended.kind = other.kind
            AND ended.policy_key = other.policy_key
            AND (ended.cancelled_on IS NULL
              OR ended.cancelled_on <= greatest(insured.as_of, gone.cancelled_on + 1)
                AND (other.filed_on > ended.cancelled_on) IS NOT TRUE)))
    -- nor was the same one filed again after the notice. Where the notice came with the first import, so that nobody
    -- saw when, insurers' 30 days of notice tell, and that the policy was on file before.
    AND NOT EXISTS (
      SELECT FROM motus_policy AS again
      WHERE again.docket = gone.docket AND again.kind = gone.kind
        AND again.policy_key = gone.policy_key
        AND again.filed_on > coalesce(notice.noticed_after, gone.cancelled_on - 30)
        AND (notice.noticed_after IS NOT NULL
          OR gone.effective_on <= gone.cancelled_on - 30
          OR EXISTS (
            SELECT FROM motus_policy AS first
            WHERE first.docket = gone.docket AND first.kind = gone.kind
              AND first.policy_key = gone.policy_key AND first.filed_on < again.filed_on)))
  ORDER BY insured.docket, insured.authority_class, insured.usdot,
    gone.cancelled_on >= insured.as_of DESC,
    abs(gone.cancelled_on - insured.as_of), gone.policy_key
),
missing AS (
  SELECT DISTINCT ON (insured.docket, insured.authority_class, insured.usdot)
    insured.docket, insured.authority_class, insured.usdot, lack.insurance_type
  FROM insured
  JOIN motus_carrier AS filed ON filed.docket = insured.docket
    AND filed.authority_class = insured.authority_class AND filed.usdot = insured.usdot AND filed.status = 'active'
  CROSS JOIN LATERAL (
    VALUES
      (1, 'bipd', filed.min_coverage > 0 AND coalesce(filed.bipd_on_file, 0) < filed.min_coverage),
      (2, 'bond', filed.bond_required AND NOT filed.bond_on_file),
      (3, 'cargo', filed.authority_class = 'carrier_hhg' AND filed.cargo_required AND NOT filed.cargo_on_file)
  ) AS lack (place, insurance_type, is_missing)
  WHERE insured.authority_status = 'active' AND lack.is_missing
  ORDER BY insured.docket, insured.authority_class, insured.usdot, lack.place
),
alert AS (
  SELECT 1 AS place, docket, authority_class, usdot, 'suspended' AS alert_reason,
    NULL AS insurance_type, NULL::date AS cancellation_effective, NULL AS insurer
  FROM suspension
  UNION ALL
  SELECT 2, docket, authority_class, usdot, 'cancellation',
    (ARRAY ['bipd', 'cargo', 'bond', 'trust_fund'])[type_code::integer], cancelled_on, insurer
  FROM cancelled
  UNION ALL
  SELECT 3, docket, authority_class, usdot, 'not_on_file', insurance_type, NULL, NULL
  FROM missing
)
SELECT DISTINCT ON (insured.docket, insured.authority_class, insured.usdot)
  insured.*, alert.alert_reason, alert.insurance_type, alert.cancellation_effective, alert.insurer
FROM insured
JOIN alert USING (docket, authority_class, usdot)
ORDER BY insured.docket, insured.authority_class, insured.usdot, alert.place
