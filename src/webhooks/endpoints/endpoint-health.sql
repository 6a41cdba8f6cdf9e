-- Outcomes of the newest deliveries of each endpoint of an account: counts since a time, and when the receiver last took and
-- last refused one. Its answers to tests tell that too.
-- params: accountId, since, most
SELECT endpoint.id AS "endpointId", recent.*
FROM webhook_endpoint AS endpoint
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE status = 'delivered' AND counts) AS delivered,
    count(*) FILTER (WHERE status = 'failed' AND counts) AS failed,
    count(*) FILTER (WHERE status = 'failed' AND is_test AND created_at > $2) AS "failedTests",
    count(*) FILTER (WHERE status = 'cancelled' AND counts) AS cancelled,
    count(*) FILTER (WHERE status = 'queued' AND counts) AS waiting,
    count(*) FILTER (WHERE status = 'queued' AND failures > 0 AND counts) AS retrying,
    max(finished_at) FILTER (WHERE status = 'delivered' AND counts) AS "lastDeliveredAt",
    max(finished_at) FILTER (WHERE status = 'delivered') AS "lastAcceptedAt",
    max(finished_at) FILTER (WHERE status = 'failed') AS "lastRefusedAt"
  FROM (SELECT status, failures, finished_at, is_test, created_at, NOT is_test AND created_at > $2 AS counts
        FROM webhook_delivery_state WHERE endpoint_id = endpoint.id ORDER BY id DESC LIMIT $3) AS newest) AS recent
WHERE endpoint.account_id = $1 AND endpoint.deleted_at IS NULL
