-- Outcomes of the newest deliveries of each endpoint of an account.
-- params: accountId, since, most
SELECT endpoint.id AS "endpointId", recent.*
FROM webhook_endpoint AS endpoint
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE status = 'delivered') AS delivered,
    count(*) FILTER (WHERE status = 'failed') AS failed,
    count(*) FILTER (WHERE status = 'cancelled') AS cancelled,
    count(*) FILTER (WHERE status = 'queued') AS waiting,
    count(*) FILTER (WHERE status = 'queued' AND failures > 0) AS retrying,
    max(finished_at) FILTER (WHERE status = 'delivered') AS "lastDeliveredAt"
  FROM (SELECT status, failures, finished_at FROM webhook_delivery_state
        WHERE endpoint_id = endpoint.id AND NOT is_test AND created_at > $2
        ORDER BY id DESC LIMIT $3) AS newest) AS recent
WHERE endpoint.account_id = $1 AND endpoint.deleted_at IS NULL
