-- params: tokenHash, seenAfter, createdAfter
SELECT account.id AS "accountId", account.name AS "accountName", account.email, last_seen_at AS "lastSeenAt"
FROM dashboard_session
JOIN account ON account.id = account_id
WHERE token_hash = $1 AND last_seen_at > $2 AND dashboard_session.created_at > $3
