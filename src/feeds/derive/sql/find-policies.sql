-- name: findPolicies :exec
-- The policy that each authority has on file: liability insurance, or the bond or trust fund of a broker or freight
-- forwarder. The registry that gives the authority's status gives the policy. Of several, one in force counts before
-- one that begins later, then the newest.
-- params: asOf
-- reads: suspension, pending_cancellation, legacy_filing
-- makes: policy_on_file
CREATE TEMP TABLE policy_on_file ON COMMIT DROP AS
WITH holder AS (
  SELECT DISTINCT docket, usdot, status_source,
-- include: kindThatSecures
    AS kind
  FROM authority
  WHERE status = 'active' OR (docket, authority_class, usdot) IN (SELECT docket, authority_class, usdot FROM suspension)
),
-- Liability insurance that replaces nothing, as an excess policy, is not what secures the authority.
motus_filing AS (
  SELECT docket, holder.usdot, status_source, kind, policy_key, type_code, insurer, effective_on, filed_on
  FROM holder JOIN motus_policy AS filing USING (docket, kind)
  WHERE status_source = 'motus' AND (kind = 'security' OR layer = 'primary')
    -- Calling the function for each row takes longer than the rest.
    AND (filing.usdot = holder.usdot OR is_policy_of(docket, filing.usdot, holder.usdot))
    -- As in us_insurance_lapse_alerts: a cancelled filing can remain on file.
    AND NOT EXISTS (
      SELECT FROM motus_ended_policy AS ended
      WHERE ended.docket = filing.docket AND ended.kind = filing.kind AND ended.policy_key = filing.policy_key
        AND ended.ending IN ('cancelled', 'replaced', 'unknown')
        AND (ended.cancelled_on IS NULL
          OR ended.cancelled_on <= $1::date AND (filing.filed_on > ended.cancelled_on) IS NOT TRUE))
),
policy AS (
  SELECT docket, usdot, status_source, kind, policy_key, insurer, effective_on, filed_on, pending.cancelled_on,
    CASE type_code WHEN '3' THEN 'bond' WHEN '4' THEN 'trust_fund' END AS bond_form
  FROM motus_filing LEFT JOIN pending_cancellation AS pending USING (docket, kind, policy_key)
  UNION ALL
  SELECT docket, usdot, status_source, kind, policy_key, insurer, effective_on, filed_on, cancelled_on, nullif(cover, 'bipd')
  FROM holder JOIN legacy_filing USING (docket, kind)
  WHERE status_source = 'legacy' AND (cancelled_on > $1::date OR cancelled_on IS NULL)
  UNION ALL
  -- Legacy Insur has the same policies without the day of their end: it counts where the other file has none.
  SELECT docket, usdot, status_source, kind, policy_key, insurer, effective_on, NULL, NULL,
    CASE type_code WHEN '3' THEN 'bond' WHEN '4' THEN 'trust_fund' END
  FROM holder JOIN legacy_policy AS filing USING (docket, kind)
  WHERE status_source = 'legacy' AND (kind = 'security' OR layer = 'primary')
    AND NOT EXISTS (
      SELECT FROM legacy_filing AS dated WHERE dated.docket = filing.docket AND dated.kind = filing.kind)
)
SELECT DISTINCT ON (docket, usdot, status_source, kind)
  docket, usdot, status_source, kind, insurer, effective_on, cancelled_on, bond_form
FROM policy
ORDER BY docket, usdot, status_source, kind, effective_on <= $1::date DESC NULLS LAST, effective_on DESC, filed_on DESC NULLS LAST,
  cancelled_on NULLS LAST, policy_key, insurer, bond_form;
