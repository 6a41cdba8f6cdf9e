-- name: countLinks :one?
-- How many links were made for an account within a time. Links that a wrong clock dated ahead do not count.
-- params: accountId, after, before
SELECT count(*) AS links FROM sign_in_link WHERE account_id = $1 AND created_at > $2 AND created_at < $3;

-- name: findSession :one?
-- params: tokenHash, seenAfter, createdAfter
SELECT account.id AS "accountId", account.name AS "accountName", account.email, last_seen_at AS "lastSeenAt"
FROM dashboard_session
JOIN account ON account.id = account_id
WHERE token_hash = $1 AND last_seen_at > $2 AND dashboard_session.created_at > $3;

-- name: insertLink :exec
-- params: tokenHash, accountId, now, expiresAt
INSERT INTO sign_in_link (token_hash, account_id, created_at, expires_at) VALUES ($1, $2, $3, $4);

-- name: lockAccounts :many
-- The accounts of an e-mail address, locked, so that concurrent requests count and make links one after the other.
-- params: email, most
SELECT id, name, email FROM account WHERE lower(email) = lower($1) ORDER BY id LIMIT $2 FOR UPDATE;

-- name: openSession :exec
-- Uses a valid sign-in link, and opens a session with it.
-- params: linkHash, now, tokenHash
WITH link AS (
    UPDATE sign_in_link SET used_at = $2
    WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2
    RETURNING account_id
)
INSERT INTO dashboard_session (token_hash, account_id, created_at, last_seen_at)
SELECT $3, account_id, $2, $2 FROM link;
