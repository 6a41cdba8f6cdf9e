-- Replaces encrypted answers by the same answers encrypted with another key.
-- params: accountIds, keyDigests, was, anew
UPDATE idempotent_answer AS answer SET sealed = anew.sealed
FROM unnest($1::int[], $2::bytea[], $3::bytea[], $4::bytea[]) AS anew (account_id, key_digest, was, sealed)
WHERE answer.account_id = anew.account_id AND answer.key_digest = anew.key_digest AND answer.sealed = anew.was
