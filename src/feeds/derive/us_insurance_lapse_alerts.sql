-- Authorities whose insurance or bond ends, is missing, or for whose lack they were suspended: section 9.4 of the
-- registry's reference. One record per authority: a suspension says more than a cancellation, and that more than a
-- missing filing.
WITH insured AS (
  SELECT subject.*, reading.as_of
  FROM subject CROSS JOIN reading
  WHERE authority_class IN ('carrier_property', 'carrier_hhg', 'broker', 'freight_forwarder')
),
-- A policy ended when it was cancelled or replaced; cancelled filings can remain among the policies on file.
ended AS (
  SELECT docket, type_code, policy_key, cancelled_on
  FROM motus_inshist
  WHERE filing_status IN ('CANCEL', 'CANCELLED', 'TERM/REPL')
),
cancelled AS (
  SELECT DISTINCT ON (insured.docket_number, insured.authority_class, insured.usdot)
    insured.docket_number, insured.authority_class, insured.usdot,
    gone.type_code, gone.cancelled_on, gone.insurer
  FROM insured
  JOIN motus_inshist AS gone ON gone.docket = insured.docket_number
    -- Liability insurance (1) for carriers, bond (3) or trust fund (4) for brokers, either for freight forwarders.
    AND gone.type_code = ANY (CASE insured.authority_class
      WHEN 'broker' THEN ARRAY ['3', '4']
      WHEN 'freight_forwarder' THEN ARRAY ['1', '3', '4']
      ELSE ARRAY ['1'] END)
  WHERE insured.authority_status = 'active'
    AND gone.filing_status IN ('CANCEL', 'CANCELLED')
    AND gone.cancelled_on BETWEEN insured.as_of - 30 AND insured.as_of + 90
    -- No other policy takes over,
    AND NOT EXISTS (
      SELECT FROM motus_insur AS other
      WHERE other.docket = gone.docket AND other.type_code = gone.type_code
        AND other.policy_key NOT IN ('', gone.policy_key)
        AND other.effective_on <= gone.cancelled_on + 1
        AND NOT EXISTS (
          SELECT FROM ended
          WHERE ended.docket = other.docket AND ended.type_code = other.type_code
            AND ended.policy_key = other.policy_key
            AND (ended.cancelled_on IS NULL
              OR ended.cancelled_on <= greatest(insured.as_of, gone.cancelled_on + 1)
                AND (other.filed_on > ended.cancelled_on) IS NOT TRUE)))
    -- nor was the same one filed again: insurers give 30 days' notice, so a filing newer than that came after it.
    AND NOT EXISTS (
      SELECT FROM motus_insur AS again
      WHERE again.docket = gone.docket AND again.type_code = gone.type_code
        AND again.policy_key = gone.policy_key AND again.filed_on > gone.cancelled_on - 30)
  ORDER BY insured.docket_number, insured.authority_class, insured.usdot,
    gone.cancelled_on >= insured.as_of DESC,
    abs(gone.cancelled_on - insured.as_of), gone.policy_key
),
missing AS (
  SELECT DISTINCT ON (insured.docket_number, insured.authority_class, insured.usdot)
    insured.docket_number, insured.authority_class, insured.usdot, lack.insurance_type
  FROM insured
  JOIN motus_carrier AS filed ON filed.docket = insured.docket_number
    AND filed.authority_class = insured.authority_class AND filed.usdot = insured.usdot AND filed.status = 'active'
  CROSS JOIN LATERAL (
    VALUES
      (1, 'bipd', filed.min_coverage > 0 AND coalesce(filed.bipd_on_file, 0) < filed.min_coverage),
      (2, 'bond', filed.bond_required AND NOT filed.bond_on_file),
      (3, 'cargo', filed.authority_class = 'carrier_hhg' AND filed.cargo_required AND NOT filed.cargo_on_file)
  ) AS lack (place, insurance_type, is_missing)
  WHERE insured.authority_status = 'active' AND lack.is_missing
  ORDER BY insured.docket_number, insured.authority_class, insured.usdot, lack.place
),
alert AS (
  SELECT 1 AS place, docket AS docket_number, authority_class, usdot, 'suspended' AS alert_reason,
    NULL AS insurance_type, NULL::date AS cancellation_effective, NULL AS insurer
  FROM suspension
  UNION ALL
  SELECT 2, docket_number, authority_class, usdot, 'cancellation',
    (ARRAY ['bipd', 'cargo', 'bond', 'trust_fund'])[type_code::integer], cancelled_on, insurer
  FROM cancelled
  UNION ALL
  SELECT 3, docket_number, authority_class, usdot, 'not_on_file', insurance_type, NULL, NULL
  FROM missing
)
SELECT DISTINCT ON (insured.docket_number, insured.authority_class, insured.usdot)
  insured.*, alert.alert_reason, alert.insurance_type, alert.cancellation_effective, alert.insurer
FROM insured
JOIN alert USING (docket_number, authority_class, usdot)
ORDER BY insured.docket_number, insured.authority_class, insured.usdot, alert.place
