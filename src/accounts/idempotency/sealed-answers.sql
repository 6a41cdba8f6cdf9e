-- params: afterAccountId, afterDigest, since, most
SELECT account_id, key_digest, sealed FROM idempotent_answer
WHERE (account_id, key_digest) > ($1, $2) AND answered_at > $3
ORDER BY account_id, key_digest LIMIT $4
