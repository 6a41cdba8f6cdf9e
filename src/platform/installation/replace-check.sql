-- params: sealed, before
UPDATE installation SET secrets_check = $1 WHERE secrets_check = $2
