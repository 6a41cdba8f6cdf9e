-- name: makeCandidates :exec
-- One row per authority, its columns named as the feeds name them, with the facts that the feeds' rules ask for. The
-- company's columns are those of makeCompanies; they are null where the authority is neither active nor was suspended
-- lately.
-- Legacy revocation flags count up to legacyRevocationsEndOn.
-- An optional file that is not in knownSources says nothing: the columns that come from it are null.
-- params: asOf, legacyVerifiedOn, legacyRevocationsEndOn, freightCarriers, knownSources
-- reads: company, policy_on_file, cancellation_count
-- makes: candidate
CREATE TEMP TABLE candidate ON COMMIT DROP AS
WITH authority_as_of AS NOT MATERIALIZED (
  SELECT authority.*, suspension.suspended_on,
    authority.status = 'active' OR suspension.docket IS NOT NULL AS is_current,
    authority.revocation_pending AND $1::date <= $3::date AS is_flagged
  FROM authority
  LEFT JOIN suspension USING (docket, authority_class, usdot)
),
-- Of several orders on an authority the one that takes effect first counts.
first_order AS (
  SELECT DISTINCT ON (docket, authority_class, usdot)
    docket, authority_class, usdot, order_type, served_on, effective_on,
    (count(*) OVER (PARTITION BY docket, authority_class, usdot))::integer - 1 AS later_orders
  FROM pending_revocation
  ORDER BY docket, authority_class, usdot, effective_on, served_on NULLS LAST
),
-- Of several orders in force the oldest counts. An order is in force from its day until that of its rescission.
oos AS (
  SELECT DISTINCT ON (usdot) usdot, ordered_on, reason
  FROM oos_order
  WHERE 'oos_order' = ANY ($5::text[]) AND (ordered_on IS NULL OR ordered_on <= $1::date)
    AND (rescinded_on IS NULL OR rescinded_on > $1::date)
  ORDER BY usdot, ordered_on NULLS LAST, reason
),
-- Whether Motus has a process agent for the docket, or for the company in a filing without docket. A row without agent says
-- that there is none. Motus has only what was filed since it began: of others it says nothing.
motus_agent AS (
  SELECT docket, bool_or(agent IS NOT NULL) AS is_named FROM motus_boc3 WHERE 'motus_boc3' = ANY ($5::text[]) GROUP BY docket
),
motus_agent_of_company AS (
  SELECT DISTINCT usdot FROM motus_boc3
  WHERE 'motus_boc3' = ANY ($5::text[]) AND shown_docket(docket) IS NULL AND agent IS NOT NULL
),
current_authority AS MATERIALIZED (
  SELECT docket, authority_class, usdot, status_source,
-- include: kindThatSecures
    AS kind
  FROM authority_as_of WHERE is_current
),
-- Dollars of liability insurance. Only Motus tells them of an authority that it knows. A bond secures brokers instead.
amount AS (
  SELECT DISTINCT ON (docket, authority_class, usdot) docket, authority_class, usdot, min_coverage, bipd_on_file
  FROM (
    SELECT docket, authority_class, usdot, filed.status = 'active' AS is_active, min_coverage, bipd_on_file
    FROM current_authority JOIN motus_carrier AS filed USING (docket, authority_class, usdot)
    WHERE status_source = 'motus' AND authority_class <> 'broker'
    UNION ALL
    SELECT docket, authority_class, usdot, true, min_coverage, bipd_on_file
    FROM current_authority JOIN legacy_carrier AS filed USING (docket, usdot)
    WHERE status_source = 'legacy' AND authority_class <> 'broker'
  ) AS filed
  ORDER BY docket, authority_class, usdot, is_active DESC, min_coverage DESC NULLS LAST, bipd_on_file DESC NULLS LAST
),
-- Cancellations can only be counted with the files of both registries.
counted AS (
  SELECT count(*) = 2 AS is_known FROM source WHERE dataset IN ('motus_inshist', 'legacy_inshist')
),
-- What is filed about each authority. The registry that gives the status also gives the policy.
filed AS (
  SELECT docket, authority_class, usdot, min_coverage, bipd_on_file, insurer, policy.effective_on, policy.cancelled_on,
    bond_form,
    CASE
      WHEN status_source || '_boc3' <> ALL ($5::text[]) THEN NULL
      WHEN motus_agent.is_named OR motus_agent_of_company.usdot IS NOT NULL THEN true
      WHEN NOT motus_agent.is_named THEN false
      WHEN 'legacy_boc3' = ANY ($5::text[]) AND EXISTS (
        SELECT FROM legacy_boc3 AS filing WHERE filing.docket = holder.docket AND filing.agent IS NOT NULL) THEN true
    END AS boc3_on_file,
    CASE WHEN is_known THEN coalesce(cancellations, 0) END AS cancellations
  FROM current_authority AS holder
  CROSS JOIN counted
  LEFT JOIN amount USING (docket, authority_class, usdot)
  LEFT JOIN policy_on_file AS policy USING (docket, usdot, status_source, kind)
  LEFT JOIN cancellation_count USING (docket, kind)
  LEFT JOIN motus_agent USING (docket)
  LEFT JOIN motus_agent_of_company USING (usdot)
),
-- A carrier authority in revocation of each company that has one.
revoking AS (
  SELECT usdot, min(docket) AS docket
  FROM (
    SELECT usdot, docket
    FROM authority_as_of JOIN first_order USING (docket, authority_class, usdot)
    WHERE authority_as_of.is_current AND authority_class = ANY ($4::text[])
    UNION ALL
    SELECT usdot, docket FROM authority_as_of WHERE is_flagged AND is_current AND authority_class = ANY ($4::text[])
  ) AS authority_in_revocation
  GROUP BY usdot
)
SELECT
  $1::date AS as_of,
  authority_as_of.usdot,
  authority_as_of.usdot::text AS dot_number,
  authority_as_of.docket,
  shown_docket(authority_as_of.docket) AS docket_number,
  authority_as_of.authority_class,
  authority_as_of.authority_class AS authority_type,
  authority_as_of.authority_class AS entity_type,
  authority_as_of.status AS authority_status,
  authority_as_of.status_source,
  authority_as_of.granted_on AS authority_granted,
  $1::date - authority_as_of.granted_on AS days_in_business,
  -- The last day on which the source confirmed the status.
  CASE authority_as_of.status_source WHEN 'motus' THEN $1::date ELSE $2::date END AS last_verified,
  authority_as_of.suspended_on,
  removed_business.removed_at,
  first_order.order_type,
  first_order.served_on AS order_served,
  first_order.effective_on AS order_effective,
  coalesce(first_order.later_orders, 0) AS later_orders,
  first_order.docket IS NOT NULL OR authority_as_of.is_flagged AS is_revocation_pending,
  revoking.docket AS revoking_docket,
  company.*,
  phone_exchange.phone_type,
  company.cell_phone IS NOT NULL AS has_cell,
  filed.min_coverage::bigint AS insurance_required,
  filed.bipd_on_file::bigint AS insurance_on_file,
  CASE WHEN 'oos_order' = ANY ($5::text[]) THEN oos.usdot IS NOT NULL END AS out_of_service,
  oos.ordered_on AS oos_since,
  oos.reason AS oos_reason,
  filed.boc3_on_file,
  filed.insurer AS filed_insurer,
  filed.effective_on AS policy_effective,
  filed.cancelled_on AS cancellation_pending,
  filed.bond_form,
  filed.cancellations AS cancellations_12m
FROM authority_as_of
LEFT JOIN filed USING (docket, authority_class, usdot)
LEFT JOIN first_order USING (docket, authority_class, usdot)
LEFT JOIN removed_business ON removed_business.usdot = authority_as_of.usdot
LEFT JOIN revoking ON revoking.usdot = authority_as_of.usdot
LEFT JOIN company ON company.company_usdot = authority_as_of.usdot AND authority_as_of.is_current
LEFT JOIN oos ON oos.usdot = authority_as_of.usdot
LEFT JOIN phone_exchange ON phone_exchange.exchange = left(company.phone, 6);
