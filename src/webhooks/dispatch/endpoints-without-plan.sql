-- Active endpoints none of whose event types their account's plan includes any more. $1, $2: event types and the feeds that
-- carry them, at the same place of both lists.
SELECT endpoint.id
FROM webhook_endpoint AS endpoint
JOIN account ON account.id = endpoint.account_id
JOIN plan ON plan.code = account.plan_code
WHERE endpoint.active AND (NOT plan.api_access OR NOT EXISTS (
  SELECT FROM unnest($1::text[], $2::text[]) AS carried (type, feed)
  JOIN plan_feed ON plan_feed.plan_code = plan.code AND plan_feed.feed_code = carried.feed
  WHERE carried.type = ANY (endpoint.event_types)))
ORDER BY endpoint.id
