-- The endpoints of one account or of all, oldest first. Addresses come without their query, which often has a secret.
-- params: accountId?
-- never null: event_types
-- typed: payload Payload from ./filters.ts
-- typed: event_types EventType[] from ../../events/event-types.ts
SELECT endpoint.id, endpoint.account_id, regexp_replace(endpoint.url, '[?#].*', '') AS url, endpoint.description,
  endpoint.event_types, endpoint.active, endpoint.disabled_reason, endpoint.failure_streak,
  (SELECT count(*) FROM webhook_retry AS retry WHERE retry.endpoint_id = endpoint.id) + (
   SELECT count(*) FROM (
-- include: ../deliveries/unfinished.sql
   ) AS waiting) AS queued,
  endpoint.created_at, endpoint.payload, endpoint.honor_retry_after AS "honorsRetryAfter",
  endpoint.filter_states AS "filterStates", endpoint.filter_usdots AS "filterUsdots",
  endpoint.filter_authority_types AS "filterAuthorityTypes", endpoint.trucks_min AS "trucksMin",
  endpoint.trucks_max AS "trucksMax", endpoint.previous_secret_until AS "previousSecretUntil"
FROM webhook_endpoint AS endpoint
WHERE endpoint.deleted_at IS NULL AND ($1::integer IS NULL OR endpoint.account_id = $1)
ORDER BY endpoint.id
