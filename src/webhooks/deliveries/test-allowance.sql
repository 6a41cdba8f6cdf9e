-- Whether an endpoint may have another test delivery; no row when the account has no such endpoint. `since` is the
-- time that must be a minute ago before the next test; null when the limits are not reached. Tests dated more than a
-- minute ahead, by a wrong clock, do not count.
-- params: endpointId, accountId, minuteAgo, perEndpoint, perAccount
-- never null: event_type
SELECT
  endpoint.event_types[1] AS event_type,
  coalesce(
    (SELECT created_at FROM webhook_delivery
     WHERE account_id = $2 AND is_test AND created_at > $3::timestamptz AND created_at <= $3 + interval '2 minutes' AND endpoint_id = endpoint.id
     ORDER BY created_at DESC OFFSET $4::int - 1 LIMIT 1),
    (SELECT created_at FROM webhook_delivery
     WHERE account_id = $2 AND is_test AND created_at > $3::timestamptz AND created_at <= $3 + interval '2 minutes'
     ORDER BY created_at DESC OFFSET $5::int - 1 LIMIT 1)) AS since
FROM webhook_endpoint AS endpoint
WHERE endpoint.id = $1::bigint AND endpoint.account_id = $2 AND endpoint.deleted_at IS NULL
