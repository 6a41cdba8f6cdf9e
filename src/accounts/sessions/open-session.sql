-- Uses a valid sign-in link, and opens a session with it.
-- params: linkHash, now, tokenHash
WITH link AS (
    UPDATE sign_in_link SET used_at = $2
    WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2
    RETURNING account_id
)
INSERT INTO dashboard_session (token_hash, account_id, created_at, last_seen_at)
SELECT $3, account_id, $2, $2 FROM link
