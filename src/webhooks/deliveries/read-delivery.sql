-- One delivery of an account with its event, unless the event's business is on the removal list.
-- params: deliveryId, accountId
-- never null: event_id, status
-- typed: event_type EventType from ../../events/event-types.ts
-- typed: type EventType from ../../events/event-types.ts
-- typed: status DeliveryStatus from ./delivery-history.ts
-- typed: cancel_reason CancelReason from ./cancel-queued.ts
-- typed: data EventData from ../../events/event-row.ts
-- typed: payload Payload from ../endpoints/filters.ts
-- typed: attempts RecordedAttempt[] from ./read-delivery.ts
SELECT delivery.id AS delivery_id, delivery.endpoint_id,
  coalesce(delivery.event_id, delivery.test_number) AS event_id, delivery.event_type, delivery.is_test,
  delivery.status, delivery.cancel_reason, delivery.created_at, delivery.due_at, delivery.finished_at,
  event.id, event.type, event.country, event.usdot, event.docket, event.state, event.occurred_on, event.detected_at,
  event.source_dataset, event.verify_method, event.data,
  (SELECT coalesce(json_agg(tried ORDER BY tried.attempt), '[]')
   FROM (SELECT attempt, started_at, duration_ms, http_status, reason,
           CASE WHEN length(signature) IN (32, 64)
             THEN 't=' || floor(extract(epoch FROM started_at)) || ',v1=' || encode(substr(signature, 1, 32), 'hex') ||
               CASE WHEN length(signature) = 64 THEN ',v1=' || encode(substr(signature, 33), 'hex') ELSE '' END
             ELSE '' END AS signature
         FROM webhook_result WHERE delivery_id = delivery.id AND attempt IS NOT NULL) AS tried) AS attempts,
  endpoint.payload, endpoint.secret_sealed, endpoint.previous_secret_sealed
FROM webhook_delivery_state AS delivery
LEFT JOIN visible_event AS event ON event.id = delivery.event_id
JOIN webhook_endpoint AS endpoint ON endpoint.id = delivery.endpoint_id AND endpoint.deleted_at IS NULL
WHERE delivery.id = $1::bigint AND delivery.account_id = $2
