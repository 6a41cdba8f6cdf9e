-- Endpoints with deliveries to be tried again now, by a loose index scan: it never reads all that wait for an endpoint.
-- params: now, isTest
WITH RECURSIVE waiting AS (
  (SELECT endpoint_id, account_id, due_at FROM webhook_retry
   WHERE is_test = $2
   ORDER BY is_test, endpoint_id, due_at, delivery_id LIMIT 1)
  UNION ALL
  SELECT next.endpoint_id, next.account_id, next.due_at
  FROM waiting
  CROSS JOIN LATERAL (
    SELECT retry.endpoint_id, retry.account_id, retry.due_at FROM webhook_retry AS retry
    WHERE retry.is_test = $2 AND retry.endpoint_id > waiting.endpoint_id
    ORDER BY retry.is_test, retry.endpoint_id, retry.due_at, retry.delivery_id LIMIT 1) AS next
)
SELECT endpoint_id AS "endpointId", account_id AS "accountId" FROM waiting WHERE due_at <= $1
