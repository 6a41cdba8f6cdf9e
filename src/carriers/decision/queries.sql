-- name: unsettledOrders :many
-- Orders on a carrier's active authorities that pending_revocation does not have and that were not cured: those that it asked
-- for itself, and those whose day came in the last `days` days, without a file that says that they took effect.
-- params: usdot, asOf, days
WITH day AS (
  SELECT greatest($2::date, (SELECT as_of FROM detection)) AS of_files
),
dated AS (
  SELECT docket, usdot, authority_class, order_type, served_on, kind, coalesce(effective_on, served_on + 30) AS effective_on
  FROM motus_order
)
SELECT shown_docket(authority.docket) AS docket, authority_class, order_type, dated.served_on, dated.effective_on
FROM authority JOIN dated USING (authority_class) CROSS JOIN day
WHERE authority.usdot = $1::int AND authority.status = 'active'
  AND (dated.docket = authority.docket OR dated.docket IS NULL AND dated.usdot = $1::int)
  AND dated.effective_on > $2::date - $3::int AND (kind = 'voluntary' OR dated.effective_on <= of_files)
  AND NOT EXISTS (
    SELECT FROM motus_history AS cure
    WHERE cure.docket = authority.docket AND cure.authority_class = authority.authority_class
      AND cure.changed_on BETWEEN coalesce(dated.served_on, dated.effective_on - 30) AND of_files
      AND cure.status = 'active' AND cure.meaning IN ('grant', 'reinstatement', 'revocation_stopped'))
ORDER BY dated.effective_on;
