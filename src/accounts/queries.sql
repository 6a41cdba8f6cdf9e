-- name: closeAccount :exec
-- params: accountId, now
UPDATE account SET closed_at = $2, suspended_at = NULL, suspension = NULL WHERE id = $1 AND closed_at IS NULL;

-- name: endSessions :exec
-- Ends what people of an account could sign in with.
-- params: accountId
WITH own AS (SELECT id FROM account_person WHERE account_id = $1),
links AS (DELETE FROM sign_in_link WHERE person_id IN (SELECT id FROM own)),
invitations AS (DELETE FROM invitation WHERE account_id = $1)
DELETE FROM dashboard_session WHERE person_id IN (SELECT id FROM own);

-- name: eraseAccount :many
-- Erases who a closed account was and what it used. Its number and licence reference stay: exports name them. Returns the
-- addresses of its people.
-- params: accountId
WITH keys AS (DELETE FROM api_key WHERE account_id = $1 RETURNING id),
minutes AS (DELETE FROM key_minute WHERE key_id IN (SELECT id FROM keys)),
days AS (DELETE FROM usage_day WHERE account_id = $1),
months AS (DELETE FROM usage_month WHERE account_id = $1),
charges AS (DELETE FROM export_charge WHERE account_id = $1),
slots AS (DELETE FROM export_slot WHERE account_id = $1),
previews AS (DELETE FROM preview_day WHERE account_id = $1),
answers AS (DELETE FROM idempotent_answer WHERE account_id = $1),
plans AS (DELETE FROM account_plan_change WHERE account_id = $1),
actions AS (DELETE FROM account_log WHERE account_id = $1),
renamed AS (UPDATE account SET name = 'Closed account' WHERE id = $1)
DELETE FROM account_person WHERE account_id = $1 RETURNING email;

-- name: revokeKeys :exec
-- params: accountId, now
UPDATE api_key SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL;
