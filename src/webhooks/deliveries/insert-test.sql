-- Queues a test delivery: it never waits behind others.
-- params: endpointId, accountId, testNumber, eventType, now
WITH delivery AS (
  INSERT INTO webhook_delivery (endpoint_id, account_id, test_number, is_test, event_type, created_at)
  VALUES ($1, $2, $3, true, $4, $5)
  RETURNING id
)
INSERT INTO webhook_retry (delivery_id, endpoint_id, account_id, is_test, due_at, attempt)
SELECT id, $1, $2, true, $5, 1 FROM delivery
RETURNING delivery_id AS id
