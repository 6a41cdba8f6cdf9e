-- name: computePendingRevocations :exec
-- Every order that takes effect later on an authority that is active now and was not cured: sections 9.3 and 9.8 of the
-- registry's reference. The flags of the legacy registry count up to legacyEndsOn.
-- params: asOf, legacyEndsOn, legacyCarrierClasses
-- makes: pending_revocation_now
CREATE TEMP TABLE pending_revocation_now ON COMMIT DROP AS
WITH dated AS (
  SELECT docket, usdot, authority_class, op_auth_type, order_type, row_id, kind,
    CASE WHEN served_on <= $1::date THEN served_on END AS served_on,
    coalesce(effective_on, served_on + 30) AS effective_on
  FROM motus_order
),
-- The day of effect decides. An order of an unknown kind counts as one that revokes the authority.
notice AS (
  SELECT * FROM dated WHERE kind <> 'voluntary' AND effective_on > $1::date
),
noticed AS (
  SELECT authority.docket, authority.authority_class, authority.usdot, notice.op_auth_type,
    notice.docket AS named_docket, notice.served_on, notice.effective_on, notice.order_type, notice.row_id
  FROM notice JOIN authority ON
-- include: isNoticed
  WHERE authority.status = 'active'
),
-- Orders take effect 30 days after they are served, which gives a missing day of service.
uncured AS (
  SELECT docket, authority_class, usdot, served_on, effective_on, order_type, row_id FROM noticed
  WHERE NOT EXISTS (
-- include: cureOfOrder
    AND cure.changed_on BETWEEN coalesce(noticed.served_on, noticed.effective_on - 30) AND $1::date
  )
),
-- The legacy registry flags an authority. The day of the proceeding is in its open AuthHist row. Orders took effect 33
-- days after they were served (the median of every year).
flagged AS (
  SELECT authority.docket, authority.authority_class, authority.usdot,
    opened.action_on AS served_on, opened.action_on + 33 AS effective_on, opened.action AS order_type, opened.row_id
  FROM authority
  JOIN legacy_authhist AS opened ON opened.docket = authority.docket
    AND (opened.authority_class = authority.authority_class
      OR opened.authority_class = 'carrier'
        AND authority.authority_class = ANY ($3::text[]))
  WHERE authority.revocation_pending AND authority.status = 'active' AND authority.status_source = 'legacy'
    AND $1::date <= $2::date
    AND opened.final_action IS NULL AND opened.action_on <= $1::date
    AND opened.action IN (
      SELECT value FROM registry_word
      WHERE vocabulary = 'legacy_authhist.ORIGINAL_ACTION_DESC' AND meaning = 'proceeding')
)
SELECT DISTINCT ON (docket, authority_class, usdot, named_on)
  docket, authority_class, usdot, served_on, effective_on, order_type, source, named_on
FROM (
  SELECT *, 'motus' AS source, coalesce(served_on, effective_on) AS named_on FROM uncured
  UNION ALL
  SELECT *, 'legacy', served_on FROM flagged
) AS pending
ORDER BY docket, authority_class, usdot, named_on, source DESC, effective_on, row_id;
