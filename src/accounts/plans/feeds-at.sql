-- The feeds of an account's plan as they were at a number of removals.
-- params: accountId, number
-- typed: feeds Record<string, string[] | null>
SELECT feeds FROM plan_feeds_change
WHERE number <= $2 AND plan_code = (
  SELECT plan_code FROM account_plan_change WHERE account_id = $1 AND number <= $2 ORDER BY number DESC, id DESC LIMIT 1)
ORDER BY number DESC, id DESC LIMIT 1
