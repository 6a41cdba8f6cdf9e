-- Cancels the deliveries of an endpoint that wait for their first attempt, by one row. Ids that are taken and not yet
-- visible are cancelled too.
-- params: endpointId, now, reason, eventTypes?
INSERT INTO webhook_cancellation (endpoint_id, to_delivery_id, event_types, reason, cancelled_at)
SELECT $1, last_value, $4::text[], $3, $2 FROM webhook_delivery_id_seq
