-- The accounts of an e-mail address, locked: their links are counted and made one request after the other.
-- params: email, most
SELECT id, name, email FROM account WHERE lower(email) = lower($1) ORDER BY id LIMIT $2 FOR UPDATE
