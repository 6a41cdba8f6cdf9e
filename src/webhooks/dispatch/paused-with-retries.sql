-- Paused and deleted endpoints whose deliveries wait for another attempt, and the reason to cancel them.
-- params: none
SELECT endpoint.id AS "endpointId", endpoint.deleted_at IS NOT NULL AS "isDeleted",
  endpoint.disabled_reason AS "disabledReason"
FROM webhook_endpoint AS endpoint
WHERE NOT endpoint.active AND EXISTS (
  SELECT FROM webhook_retry AS retry WHERE retry.endpoint_id = endpoint.id
    AND (NOT retry.is_test OR endpoint.deleted_at IS NOT NULL))
