-- Reads what decides about sending a delivery again. A pause of the endpoint blocks on this lock, and then cancels the
-- delivery that is queued here.
-- params: deliveryId, accountId, endpointId?
SELECT endpoint.active, delivery.event_type = ANY (endpoint.event_types) AS "isSubscribed",
  event.id IS NULL AS "isRemoved"
FROM webhook_delivery AS delivery
JOIN webhook_endpoint AS endpoint ON endpoint.id = delivery.endpoint_id AND endpoint.deleted_at IS NULL
LEFT JOIN visible_event AS event ON event.id = delivery.event_id
WHERE delivery.id = $1::bigint AND delivery.account_id = $2
  AND ($3::bigint IS NULL OR delivery.endpoint_id = $3) AND NOT delivery.is_test
FOR NO KEY UPDATE OF endpoint
