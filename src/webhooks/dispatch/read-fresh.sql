-- The next deliveries of endpoints that wait for their first attempt, after a position for each. Only where `areChecked`
-- says so does it look whether they have a result already. Comparing rows keeps the planner on the index of endpoints.
-- params: endpointIds, afterIds, areChecked, most
-- never null: endpointId, isDone
-- typed: eventType EventType from ../../events/event-types.ts
SELECT asked.endpoint_id AS "endpointId", next.id, next.event_id AS "eventId", next.event_type AS "eventType",
  next.created_at AS "createdAt",
  asked.is_checked AND (EXISTS (SELECT FROM webhook_result WHERE delivery_id = next.id)
    OR EXISTS (SELECT FROM webhook_retry WHERE delivery_id = next.id)) AS "isDone"
FROM unnest($1::int[], $2::bigint[], $3::boolean[]) AS asked (endpoint_id, after_id, is_checked)
CROSS JOIN LATERAL (
  SELECT delivery.id, delivery.event_id, delivery.event_type, delivery.created_at
  FROM webhook_delivery AS delivery
  WHERE (delivery.endpoint_id, delivery.id) > (asked.endpoint_id, asked.after_id)
    AND delivery.endpoint_id <= asked.endpoint_id AND NOT delivery.is_test
  ORDER BY delivery.endpoint_id, delivery.id
  LIMIT $4) AS next
