-- Stores a sealed text for a session's next page.
-- params: nameHash, sessionHash, sealed, expiresAt
INSERT INTO dashboard_note (token_hash, session_hash, sealed, expires_at) VALUES ($1, $2, $3, $4)
