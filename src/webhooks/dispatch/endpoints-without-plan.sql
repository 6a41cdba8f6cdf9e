-- Active endpoints whose account's plan no longer includes any of their event types.
-- params: carriedTypes
SELECT endpoint.id
FROM webhook_endpoint AS endpoint
JOIN account ON account.id = endpoint.account_id
WHERE endpoint.active AND NOT EXISTS (
  SELECT FROM unnest(endpoint.event_types) AS event_type
  CROSS JOIN plan_event_feed(account.plan_code, event_type, $1::text[]))
ORDER BY endpoint.id
