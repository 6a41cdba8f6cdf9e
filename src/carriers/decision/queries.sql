-- name: legacyCargo :many
-- The authorities of household goods with cargo insurance on file, of which the legacy registry gives the status. Insur has no day
-- of an end and counts where ActPendInsur has no such policy.
-- params: usdot, today
SELECT shown_docket(docket) AS docket, authority_class
FROM authority
WHERE usdot = $1 AND authority_class = 'carrier_hhg' AND status_source = 'legacy' AND coalesce(
  (SELECT bool_or((cancelled_on > $2::date) IS NOT FALSE AND (effective_on <= $2) IS NOT FALSE)
   FROM legacy_dated_policy AS filing
   WHERE filing.docket = authority.docket AND cover = 'cargo' AND coalesce(filing.usdot = authority.usdot, true)),
  EXISTS (SELECT FROM legacy_policy AS filing WHERE filing.docket = authority.docket AND kind = 'cargo'));

-- name: openCancellations :many
-- Cancellations of what a carrier's active authorities must have, that nothing cures by `today`, the first one first. Unlike
-- us_insurance_lapse_alerts, which tells of a lapse once it is near, this asks what covers today: however long ago it ended.
-- params: usdot, today, legacyFrozenOn
-- typed: insurance_type InsuranceType from ./facts.ts
-- never null: insurance_type
-- plan: once
SELECT shown_docket(authority.docket) AS docket, authority.authority_class,
  (ARRAY ['bipd', 'cargo', 'bond', 'trust_fund'])[ended_policy.type_code::integer] AS insurance_type,
  ended_policy.cancelled_on AS "on", ended_policy.insurer
FROM authority CROSS JOIN (SELECT $2::date AS as_of, $3::date AS legacy_frozen_on) AS day
CROSS JOIN LATERAL (
-- include: ../../feeds/derive/endingOfAuthority
) AS ended_policy
LEFT JOIN cancellation_notice AS notice ON notice.docket = ended_policy.docket AND notice.type_code = ended_policy.type_code
  AND notice.policy_key = ended_policy.policy_key AND notice.cancelled_on = ended_policy.cancelled_on
WHERE authority.usdot = $1::int AND authority.status = 'active'
  AND ended_policy.kind = ANY (CASE authority.authority_class
    WHEN 'broker' THEN ARRAY ['security']
    WHEN 'freight_forwarder' THEN ARRAY ['bipd', 'security']
    WHEN 'carrier_hhg' THEN ARRAY ['bipd', 'cargo']
    ELSE ARRAY ['bipd'] END)
  AND ended_policy.cancelled_on IS NOT NULL AND coalesce(ended_policy.usdot = authority.usdot, true)
  AND NOT
-- include: ../../feeds/derive/isCured
ORDER BY ended_policy.cancelled_on, ended_policy.policy_key;

-- name: unsettledOrders :many
-- Orders on a carrier's active authorities that pending_revocation does not have and that were not cured: those that it asked
-- for itself, and those whose day came in the last `days` days, without a file that says that they took effect.
-- params: usdot, asOf, days
WITH day AS (
  SELECT greatest($2::date, (SELECT as_of FROM detection)) AS of_files
),
notice AS (
  SELECT docket, usdot, authority_class, op_auth_type, order_type, kind,
    CASE WHEN served_on <= of_files THEN served_on END AS served_on,
    coalesce(effective_on, served_on + 30) AS effective_on
  FROM motus_order CROSS JOIN day
),
noticed AS (
  SELECT authority.docket, authority.authority_class, authority.usdot, notice.docket AS named_docket, notice.op_auth_type,
    order_type, served_on, effective_on
  FROM authority JOIN notice ON
-- include: ../../registry/authorities/isNoticed
  CROSS JOIN day
  WHERE authority.usdot = $1::int AND authority.status = 'active'
    AND notice.effective_on > $2::date - $3::int AND (kind = 'voluntary' OR notice.effective_on <= of_files)
)
SELECT shown_docket(docket) AS docket, authority_class, order_type, served_on, effective_on
FROM noticed CROSS JOIN day
WHERE NOT EXISTS (
-- include: ../../registry/authorities/cureOfOrder
    AND cure.changed_on BETWEEN coalesce(noticed.served_on, noticed.effective_on - 30) AND of_files
  )
ORDER BY effective_on, docket, authority_class, served_on, order_type;
