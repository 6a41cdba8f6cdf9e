-- Leases this dispatcher's share of the accounts that nobody has: those whose id gives `rank` when it is divided by `of`.
-- params: dispatcherId, rank, of
INSERT INTO webhook_lease (account_id, dispatcher_id)
SELECT DISTINCT endpoint.account_id, $1::int
FROM webhook_endpoint AS endpoint
WHERE endpoint.account_id % $3::int = $2::int
  AND NOT EXISTS (SELECT FROM webhook_lease AS lease WHERE lease.account_id = endpoint.account_id)
ORDER BY 1
ON CONFLICT (account_id) DO NOTHING
RETURNING account_id AS "accountId"
