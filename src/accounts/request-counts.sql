-- Adds counted requests to their accounts' months, in one order, so that two processes never wait crosswise.
-- $1 int[] accounts, $2 date[] months, $3 bigint[] requests.
INSERT INTO usage_month AS stored (account_id, month, api_requests)
SELECT * FROM unnest($1::int[], $2::date[], $3::bigint[]) AS counted (account_id, month, requests)
ORDER BY account_id, month
ON CONFLICT (account_id, month) DO UPDATE SET api_requests = stored.api_requests + excluded.api_requests
