-- Deliveries of endpoints that are to be tried again now. Comparing rows keeps the planner on the index of endpoints. `skipped` says how many more of each to read than `most`.
-- params: endpointIds, skipped, isTest, now, most
-- never null: endpointId
-- typed: eventType EventType from ../../events/event-types.ts
SELECT asked.endpoint_id AS "endpointId", due.delivery_id AS id, delivery.event_id AS "eventId",
  delivery.test_number AS "testNumber", delivery.event_type AS "eventType", delivery.created_at AS "createdAt",
  due.due_at AS "dueAt", due.attempt, due.failures
FROM unnest($1::int[], $2::int[]) AS asked (endpoint_id, skipped)
CROSS JOIN LATERAL (
  SELECT retry.delivery_id, retry.due_at, retry.attempt, retry.failures FROM webhook_retry AS retry
  WHERE (retry.is_test, retry.endpoint_id) >= ($3::boolean, asked.endpoint_id)
    AND (retry.is_test, retry.endpoint_id, retry.due_at) <= ($3, asked.endpoint_id, $4::timestamptz)
  ORDER BY retry.is_test, retry.endpoint_id, retry.due_at, retry.delivery_id
  LIMIT $5::int + asked.skipped) AS due
JOIN webhook_delivery AS delivery ON delivery.id = due.delivery_id
