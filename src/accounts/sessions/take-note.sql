-- params: nameHash, sessionHash, now
DELETE FROM dashboard_note WHERE token_hash = $1 AND session_hash = $2
RETURNING sealed, expires_at > $3 AS "isValid"
