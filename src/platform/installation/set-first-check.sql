-- Keeps the sealed check that is stored; stores this one where there is none.
-- params: sealed
UPDATE installation SET secrets_check = coalesce(secrets_check, $1) RETURNING secrets_check AS "check"
