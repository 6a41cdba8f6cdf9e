-- params: accountId, today, days, dashboardName
SELECT day, key_id AS "keyId", coalesce(api_key.name, $4) AS "keyName",
       api_requests AS requests, api_errors AS errors, api_refused AS refused, api_rows AS "apiRows", export_rows AS "exportRows"
FROM usage_day
LEFT JOIN api_key ON api_key.id = key_id
WHERE usage_day.account_id = $1 AND day > $2::date - $3::int AND day <= $2::date
ORDER BY day, key_id
