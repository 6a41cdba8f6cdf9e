-- One row if any key of any account can be used.
-- params: none
SELECT FROM api_key WHERE revoked_at IS NULL LIMIT 1
