-- Reads and locks the state of an endpoint; no row when it was deleted.
-- params: endpointId, carriedTypes
SELECT endpoint.active AS "isActive",
  EXISTS (
    SELECT FROM unnest(endpoint.event_types) AS event_type
    CROSS JOIN plan_event_feed(account.plan_code, event_type, $2::text[])) AS "isInPlan"
FROM webhook_endpoint AS endpoint
JOIN account ON account.id = endpoint.account_id
WHERE endpoint.id = $1 AND endpoint.deleted_at IS NULL
FOR NO KEY UPDATE OF endpoint
