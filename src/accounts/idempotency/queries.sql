-- name: claimKey :one
-- Whether this transaction alone handles requests with the key until it ends. A process whose machine is lost in the middle
-- of the transaction holds the key for 10 s.
-- params: lock
SELECT pg_try_advisory_xact_lock(72707377, $1) AS "isClaimed",
  set_config('idle_in_transaction_session_timeout', '10000', true) AS "idleTimeout";

-- name: findAnswer :one?
-- params: accountId, keyDigest, since
SELECT sealed FROM idempotent_answer WHERE account_id = $1 AND key_digest = $2 AND answered_at > $3;

-- name: keepAnswer :exec
-- Replaces an answer that is no longer valid.
-- params: accountId, keyDigest, sealed, now
INSERT INTO idempotent_answer (account_id, key_digest, sealed, answered_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (account_id, key_digest) DO UPDATE SET sealed = excluded.sealed, answered_at = excluded.answered_at;

-- name: resealAnswers :exec
-- Replaces encrypted answers by the same answers encrypted with another key.
-- params: accountIds, keyDigests, was, anew
UPDATE idempotent_answer AS answer SET sealed = anew.sealed
FROM unnest($1::int[], $2::bytea[], $3::bytea[], $4::bytea[]) AS anew (account_id, key_digest, was, sealed)
WHERE answer.account_id = anew.account_id AND answer.key_digest = anew.key_digest AND answer.sealed = anew.was;

-- name: sealedAnswers :many
-- params: afterAccountId, afterDigest, since, most
SELECT account_id, key_digest, sealed FROM idempotent_answer
WHERE (account_id, key_digest) > ($1, $2) AND answered_at > $3
ORDER BY account_id, key_digest LIMIT $4;
