-- Erases secrets whose overlap with a newer one is over.
-- params: now
UPDATE webhook_endpoint SET previous_secret_sealed = NULL, previous_secret_until = NULL WHERE previous_secret_until <= $1
