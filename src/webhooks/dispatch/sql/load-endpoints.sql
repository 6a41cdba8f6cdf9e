-- name: loadEndpoints :many
-- What decides about the deliveries of endpoints.
-- params: endpointIds
-- never null: eventTypes
-- typed: eventTypes EventType[] from ../../events/event-types.ts
-- typed: payload Payload from ../endpoints/filters.ts
-- typed: cancellations Cancellation[] from ./state.ts
-- plan: once
SELECT endpoint.id, endpoint.url, endpoint.secret_sealed AS "secretSealed",
  endpoint.previous_secret_sealed AS "previousSecretSealed", endpoint.previous_secret_until AS "previousSecretUntil",
  endpoint.payload, endpoint.honor_retry_after AS "honorsRetryAfter", endpoint.corrections, endpoint.changes, endpoint.active AS "isActive",
  endpoint.deleted_at IS NOT NULL AS "isDeleted", endpoint.disabled_reason AS "disabledReason",
  endpoint.event_types AS "eventTypes", account.plan_code AS "planCode",
  account.suspended_at IS NOT NULL AS "isSuspended",
  (SELECT coalesce(json_agg(json_build_object('toId', cancelled.to_delivery_id, 'eventTypes', cancelled.event_types)), '[]')
   FROM webhook_cancellation AS cancelled
   WHERE cancelled.endpoint_id = endpoint.id AND cancelled.to_delivery_id > coalesce(
     (SELECT done_to FROM webhook_progress WHERE endpoint_id = endpoint.id), 0)) AS cancellations
FROM webhook_endpoint AS endpoint
JOIN account ON account.id = endpoint.account_id
WHERE endpoint.id = ANY ($1::int[]);
