-- params: accountId, month
SELECT month, api_requests AS requests, api_rows AS "apiRows", export_rows AS "exportRows", quota_rows AS "quotaRows"
FROM usage_month
WHERE account_id = $1 AND month > $2::date - interval '12 months' AND month <= $2::date
ORDER BY month DESC
