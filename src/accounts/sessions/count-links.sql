-- How many links were made for an account within a time. Links that a wrong clock dated ahead do not count.
-- params: accountId, after, before
SELECT count(*) AS links FROM sign_in_link WHERE account_id = $1 AND created_at > $2 AND created_at < $3
