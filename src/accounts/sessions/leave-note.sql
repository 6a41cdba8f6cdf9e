-- Stores a sealed text for a session's next page, and deletes expired ones.
-- params: nameHash, sessionHash, sealed, now, expiresAt
WITH old AS (DELETE FROM dashboard_note WHERE expires_at <= $4)
INSERT INTO dashboard_note (token_hash, session_hash, sealed, expires_at) VALUES ($1, $2, $3, $5)
