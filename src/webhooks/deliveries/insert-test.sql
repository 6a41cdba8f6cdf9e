-- params: endpointId, accountId, testNumber, eventType, now
INSERT INTO webhook_delivery (endpoint_id, account_id, test_number, is_test, event_type, status, due_at, created_at)
VALUES ($1, $2, $3, true, $4, 'queued', $5, $5)
RETURNING id
