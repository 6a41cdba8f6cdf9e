-- The endpoints of the next new deliveries, and the id of the last of these.
-- params: afterId, most
SELECT endpoint_id AS "endpointId", account_id AS "accountId", max(id) AS "lastId", count(*) AS deliveries
FROM (
  SELECT id, endpoint_id, account_id FROM webhook_delivery WHERE id > $1 ORDER BY id LIMIT $2) AS fresh
GROUP BY endpoint_id, account_id
