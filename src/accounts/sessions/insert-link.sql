-- params: tokenHash, accountId, now, expiresAt
INSERT INTO sign_in_link (token_hash, account_id, created_at, expires_at) VALUES ($1, $2, $3, $4)
