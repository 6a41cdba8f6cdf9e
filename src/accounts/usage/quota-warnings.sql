-- The accounts among these that have used at least so many percent of the month's rows.
-- params: accountIds, month, percent
SELECT account.id AS "accountId", account.email, account.name,
       usage_month.quota_rows AS used, plan.rows_per_month AS limit
FROM account
JOIN plan ON plan.code = plan_code
JOIN usage_month ON usage_month.account_id = account.id AND usage_month.month = $2
WHERE account.id = ANY ($1::int[]) AND usage_month.quota_rows * 100 >= plan.rows_per_month * $3
