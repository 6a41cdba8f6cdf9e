-- params: accountId, keyDigest, since
SELECT sealed FROM idempotent_answer WHERE account_id = $1 AND key_digest = $2 AND answered_at > $3
