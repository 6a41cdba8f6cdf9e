-- Deliveries of events that wait for their first attempt or are being sent, of the endpoint `endpoint`.
SELECT delivery.id, delivery.event_id, delivery.created_at
FROM webhook_delivery AS delivery
WHERE (delivery.endpoint_id, delivery.id) > (endpoint.id, greatest(
    (SELECT done_to FROM webhook_progress WHERE endpoint_id = endpoint.id),
    (SELECT max(to_delivery_id) FROM webhook_cancellation WHERE endpoint_id = endpoint.id AND event_types IS NULL), 0))
  AND delivery.endpoint_id <= endpoint.id AND NOT delivery.is_test
  AND NOT EXISTS (SELECT FROM webhook_result WHERE delivery_id = delivery.id)
  AND NOT EXISTS (SELECT FROM webhook_retry WHERE delivery_id = delivery.id)
