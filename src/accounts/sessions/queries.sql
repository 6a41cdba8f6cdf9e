-- name: countLinks :one?
-- How many links were made for an account within a time. Links that a wrong clock dated ahead do not count.
-- params: accountId, after, before
SELECT count(*) AS links FROM sign_in_link WHERE account_id = $1 AND created_at > $2 AND created_at < $3;

-- name: findSession :one?
-- params: tokenHash, seenAfter, createdAfter
SELECT account.id AS "accountId", account.name AS "accountName", account.email, account.suspension,
  last_seen_at AS "lastSeenAt"
FROM dashboard_session
JOIN account ON account.id = account_id
WHERE token_hash = $1 AND last_seen_at > $2 AND dashboard_session.created_at > $3;

-- name: forgetNewEmails :exec
-- Deletes the unused links that would change an account's address.
-- params: accountId
DELETE FROM sign_in_link WHERE account_id = $1 AND new_email IS NOT NULL AND used_at IS NULL;

-- name: insertLink :exec
-- params: tokenHash, accountId, now, expiresAt, newEmail?
INSERT INTO sign_in_link (token_hash, account_id, created_at, expires_at, new_email) VALUES ($1, $2, $3, $4, $5);

-- name: lockAccounts :many
-- The accounts of an e-mail address, locked, so that concurrent requests count and make links one after the other.
-- params: email, most
SELECT id, name, email FROM account WHERE lower(email) = lower($1) AND closed_at IS NULL ORDER BY id LIMIT $2 FOR UPDATE;

-- name: openSession :exec
-- params: accountId, now, tokenHash
INSERT INTO dashboard_session (token_hash, account_id, created_at, last_seen_at) VALUES ($3, $1, $2, $2);

-- name: replaceEmail :one?
-- Makes an address the account's, and ends what the owner of the one before could sign in with. Returns that one.
-- params: accountId, newEmail
WITH ended AS (DELETE FROM dashboard_session WHERE account_id = $1),
forgotten AS (DELETE FROM sign_in_link WHERE account_id = $1 AND used_at IS NULL),
before AS (SELECT id, name, email FROM account WHERE id = $1 FOR NO KEY UPDATE)
UPDATE account SET email = $2 FROM before WHERE account.id = before.id RETURNING before.name, before.email;

-- name: takeLink :one?
-- Uses a valid sign-in link.
-- params: linkHash, now
UPDATE sign_in_link SET used_at = $2
WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2
RETURNING account_id AS "accountId", new_email AS "newEmail";
