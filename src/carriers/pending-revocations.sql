-- Every order that takes effect later on an authority that is active now and was not cured: section 9.3 of the
-- registry's reference. $1: the as-of day. $2: the last day on which the frozen registry's flags say anything.
CREATE TEMP TABLE pending_revocation_now ON COMMIT DROP AS
WITH notice AS (
  SELECT docket, usdot, authority_class, served_on, effective_on, order_type, row_id
  FROM motus_revokesuspend
  WHERE order_type ILIKE '%involuntary%' AND served_on <= $1 AND effective_on > $1
),
-- A notice names its authority by docket; one without a docket by USDOT number.
noticed AS (
  SELECT authority.docket, authority.authority_class, authority.usdot,
    notice.served_on, notice.effective_on, notice.order_type, notice.row_id
  FROM notice
  JOIN authority ON authority.authority_class = notice.authority_class
    AND authority.docket = notice.docket
  WHERE notice.docket IS NOT NULL AND authority.status = 'active'
  UNION ALL
  SELECT authority.docket, authority.authority_class, authority.usdot,
    notice.served_on, notice.effective_on, notice.order_type, notice.row_id
  FROM notice
  JOIN authority ON authority.authority_class = notice.authority_class
    AND authority.usdot = notice.usdot
  WHERE notice.docket IS NULL AND authority.status = 'active'
),
uncured AS (
  SELECT noticed.* FROM noticed
  WHERE NOT EXISTS (
    SELECT FROM motus_authhist AS cure
    WHERE cure.docket = noticed.docket AND cure.authority_class = noticed.authority_class
      AND cure.changed_on BETWEEN noticed.served_on AND $1
      AND cure.status = 'active'
      AND (cure.reason ILIKE 'reinstated%' OR lower(cure.reason) IN ('granted', 'discontinued revocation')))
),
-- The frozen registry flags an authority; the day of the proceeding stands in its open AuthHist row. Orders took
-- effect 33 days after they were served (the median of every year).
flagged AS (
  SELECT authority.docket, authority.authority_class, authority.usdot,
    opened.action_on AS served_on, opened.action_on + 33 AS effective_on, opened.action AS order_type, opened.row_id
  FROM authority
  JOIN legacy_authhist AS opened ON opened.docket = authority.docket
    AND (opened.authority_class = authority.authority_class
      OR opened.authority_class = 'carrier'
        AND authority.authority_class IN ('carrier_property', 'carrier_hhg', 'passenger'))
  WHERE authority.revocation_pending AND authority.status = 'active' AND authority.status_source = 'legacy'
    AND $1::date <= $2::date
    AND opened.action = 'INVOLUNTARY REVOCATION' AND opened.final_action IS NULL AND opened.action_on <= $1
)
SELECT DISTINCT ON (docket, authority_class, usdot, served_on)
  docket, authority_class, usdot, served_on, effective_on, order_type, source
FROM (
  SELECT *, 'motus' AS source FROM uncured
  UNION ALL
  SELECT *, 'legacy' FROM flagged
) AS pending
ORDER BY docket, authority_class, usdot, served_on, source DESC, effective_on, row_id
