-- The time since which deliveries wait or are being sent; null when none does. Deliveries with greater ids are younger, but
-- for the difference of the clocks of those who queued them.
-- params: none
SELECT min(first.created_at) - interval '1 minute' AS since
FROM (
  (SELECT delivery.created_at
   FROM webhook_retry AS retry JOIN webhook_delivery AS delivery ON delivery.id = retry.delivery_id
   ORDER BY retry.delivery_id LIMIT 1)
  UNION ALL
  (SELECT fresh.created_at
   FROM webhook_endpoint AS endpoint
   CROSS JOIN LATERAL (
-- include: unfinished.sql
     ORDER BY delivery.endpoint_id, delivery.id LIMIT 1) AS fresh)
) AS first
