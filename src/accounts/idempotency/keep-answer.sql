-- Replaces an answer that is no longer valid.
-- params: accountId, keyDigest, sealed, now
INSERT INTO idempotent_answer (account_id, key_digest, sealed, answered_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (account_id, key_digest) DO UPDATE SET sealed = excluded.sealed, answered_at = excluded.answered_at
