-- Leases due mails to this process, the longest due first. Skips rows that another process is claiming.
-- Only sent and given-up mails have no body.
-- params: now, leaseMs, most
-- never null: body
UPDATE mail_outbox SET lease_until = $1::timestamptz + $2::bigint * interval '1 millisecond', attempts = attempts + 1
WHERE id IN (
  SELECT id FROM mail_outbox
  WHERE sent_at IS NULL AND failed_at IS NULL AND due_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)
  ORDER BY due_at, id
  LIMIT $3
  FOR UPDATE SKIP LOCKED)
RETURNING id, purpose, recipient, subject, body, created_at AS "createdAt", attempts AS attempt
