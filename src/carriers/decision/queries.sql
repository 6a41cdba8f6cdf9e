-- name: voluntaryOrders :many
-- Orders that a carrier asked for itself, that take effect after a day and were not cured. pending_revocation has the others.
-- params: usdot, asOf
WITH asked AS (
  SELECT docket, usdot, authority_class, order_type, served_on, coalesce(effective_on, served_on + 30) AS effective_on
  FROM motus_order WHERE kind = 'voluntary'
)
SELECT shown_docket(authority.docket) AS docket, authority_class, order_type, asked.served_on, asked.effective_on
FROM authority JOIN asked USING (authority_class)
WHERE authority.usdot = $1::int AND asked.effective_on > $2::date
  AND (asked.docket = authority.docket OR asked.docket IS NULL AND asked.usdot = $1::int)
  AND NOT EXISTS (
    SELECT FROM motus_history AS cure
    WHERE cure.docket = authority.docket AND cure.authority_class = authority.authority_class
      AND cure.changed_on BETWEEN coalesce(asked.served_on, asked.effective_on - 30) AND $2::date
      AND cure.status = 'active' AND cure.meaning IN ('grant', 'reinstatement', 'revocation_stopped'))
ORDER BY asked.effective_on;
