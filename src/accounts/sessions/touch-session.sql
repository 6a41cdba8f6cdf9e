-- params: tokenHash, now
UPDATE dashboard_session SET last_seen_at = greatest(last_seen_at, $2) WHERE token_hash = $1
