-- name: unsettledOrders :many
-- Orders on a carrier's active authorities that pending_revocation does not have and that were not cured: those that it asked
-- for itself, and those whose day came in the last `days` days, without a file that says that they took effect.
-- params: usdot, asOf, days
WITH day AS (
  SELECT greatest($2::date, (SELECT as_of FROM detection)) AS of_files
),
notice AS (
  SELECT docket, usdot, authority_class, op_auth_type, order_type, served_on, kind,
    coalesce(effective_on, served_on + 30) AS effective_on
  FROM motus_order
),
noticed AS (
  SELECT authority.docket, authority.authority_class, authority.usdot, notice.op_auth_type, order_type, served_on, effective_on
  FROM authority JOIN notice ON
-- include: ../../registry/authorities/isNoticed
  CROSS JOIN day
  WHERE authority.usdot = $1::int AND authority.status = 'active'
    AND notice.effective_on > $2::date - $3::int AND (kind = 'voluntary' OR notice.effective_on <= of_files)
)
SELECT shown_docket(docket) AS docket, authority_class, order_type, served_on, effective_on
FROM noticed CROSS JOIN day
WHERE NOT EXISTS (
    SELECT FROM motus_history AS cure
    WHERE cure.changed_on BETWEEN coalesce(noticed.served_on, noticed.effective_on - 30) AND of_files AND
-- include: ../../registry/authorities/cures
  )
ORDER BY effective_on, docket, authority_class, served_on, order_type;
