-- An account with its plan, in the form that admission gives a key.
-- params: accountId
-- typed: feeds Record<string, string[] | null>
SELECT account.id AS account_id, account.licence_ref,
       plan.code AS plan_code, plan.name AS plan_name, plan.api_access, plan.requests_per_minute, plan.rows_per_month,
       plan.concurrent_exports,
       (SELECT coalesce(max(number), 0) FROM (
            SELECT max(number) FROM account_plan_change WHERE account_id = account.id
            UNION ALL SELECT max(number) FROM plan_feeds_change
            WHERE plan_feeds_change.plan_code = plan.code) AS change (number)) AS feeds_number,
       (SELECT json_object_agg(feed_code, CASE WHEN NOT all_regions THEN regions END)
        FROM plan_feed WHERE plan_feed.plan_code = plan.code) AS feeds
FROM account
JOIN plan ON plan.code = account.plan_code
WHERE account.id = $1
