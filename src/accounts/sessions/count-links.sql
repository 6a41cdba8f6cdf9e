-- How many links an account was given within a time. What a clock that was wrong has dated ahead does not count.
-- params: accountId, after, before
SELECT count(*) AS links FROM sign_in_link WHERE account_id = $1 AND created_at > $2 AND created_at < $3
