-- name: feedsAt :one?
-- The feeds of an account's plan as they were at a number of removals.
-- params: accountId, number
-- typed: feeds Record<string, string[] | null>
SELECT feeds FROM plan_feeds_change
WHERE number <= $2 AND plan_code = (
  SELECT plan_code FROM account_plan_change WHERE account_id = $1 AND number <= $2 ORDER BY number DESC, id DESC LIMIT 1)
ORDER BY number DESC, id DESC LIMIT 1;

-- name: feedsSince :many
-- The feeds of every plan that the account had after a number of removals and a time, as they were then or later. The
-- first recorded ones count for the time before them.
-- params: accountId, number, since
-- typed: feeds Record<string, string[] | null>
WITH plan_had AS (
  SELECT plan_code FROM account_plan_change WHERE account_id = $1 AND number > $2 AND changed_at > $3
  UNION (
    SELECT plan_code FROM account_plan_change WHERE account_id = $1 AND NOT (number > $2 AND changed_at > $3)
    ORDER BY number DESC, id DESC LIMIT 1)
)
SELECT newer.feeds FROM plan_had JOIN plan_feeds_change AS newer USING (plan_code)
WHERE newer.number > $2 AND newer.changed_at > $3
UNION
SELECT older.feeds
FROM plan_had
CROSS JOIN LATERAL (
  SELECT feeds FROM plan_feeds_change
  WHERE plan_feeds_change.plan_code = plan_had.plan_code AND NOT (number > $2 AND changed_at > $3)
  ORDER BY number DESC, id DESC LIMIT 1
) AS older;

-- name: findPlan :exec
-- One row if there is any plan.
SELECT FROM plan LIMIT 1;
