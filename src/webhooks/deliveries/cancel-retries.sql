-- Cancels deliveries of an endpoint that wait for another attempt: ordinary ones, tests or both; of all event types unless
-- some are given.
-- params: endpointId, now, reason, isTest, eventTypes?, most
WITH ended AS (
  DELETE FROM webhook_retry
  WHERE delivery_id = ANY (ARRAY(
    SELECT retry.delivery_id FROM webhook_retry AS retry
    LEFT JOIN webhook_delivery AS delivery ON delivery.id = retry.delivery_id
    WHERE retry.endpoint_id = $1 AND retry.is_test = ANY ($4::boolean[])
      AND ($5::text[] IS NULL OR delivery.event_type = ANY ($5::text[]))
    LIMIT $6
    FOR UPDATE OF retry))
  RETURNING delivery_id, endpoint_id
)
INSERT INTO webhook_result (delivery_id, number, endpoint_id, outcome, cancel_reason, ended_at)
SELECT ended.delivery_id,
  coalesce((SELECT max(number) FROM webhook_result AS earlier WHERE earlier.delivery_id = ended.delivery_id), 0) + 1,
  ended.endpoint_id, 'cancelled', $3, $2
FROM ended
