-- One row if there is any plan.
-- params: none
SELECT FROM plan LIMIT 1
