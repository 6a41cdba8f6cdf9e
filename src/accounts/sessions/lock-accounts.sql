-- The accounts of an e-mail address, locked, so that concurrent requests count and make links one after the other.
-- params: email, most
SELECT id, name, email FROM account WHERE lower(email) = lower($1) ORDER BY id LIMIT $2 FOR UPDATE
