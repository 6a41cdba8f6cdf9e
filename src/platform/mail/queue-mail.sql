-- Queues a mail that is due now, unless an earlier one has its identity.
-- params: identity?, purpose, recipient, subject, body, now
INSERT INTO mail_outbox (identity, purpose, recipient, subject, body, created_at, due_at)
VALUES ($1, $2, $3, $4, $5, $6, $6)
ON CONFLICT (identity) DO NOTHING
