-- name: claimMails :many
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
RETURNING id, purpose, recipient, subject, body, created_at AS "createdAt", attempts AS attempt;

-- name: outboxState :one
-- Erased mails are not counted: they have no last error.
SELECT count(*) FILTER (WHERE failed_at IS NULL) AS waiting,
  min(created_at) FILTER (WHERE failed_at IS NULL) AS since,
  count(failed_at) FILTER (WHERE last_error IS NOT NULL) AS failed
FROM mail_outbox WHERE sent_at IS NULL;

-- name: eraseMails :exec
-- Erases the mails to some addresses that were sent or given up, and those of some purposes that wait. Those with an identity
-- stay, so that they are not sent again, without their recipient and text. People type an address in any case.
-- params: recipients, waitingTo, purposes, now
WITH mail AS MATERIALIZED (
  SELECT id, identity FROM mail_outbox
  WHERE CASE WHEN sent_at IS NULL AND failed_at IS NULL
    THEN lower(recipient) IN (SELECT lower(address) FROM unnest($2::text[]) AS address) AND purpose = ANY ($3::text[])
    ELSE lower(recipient) IN (SELECT lower(address) FROM unnest($1::text[]) AS address) END
  ORDER BY id FOR UPDATE),
erased AS (DELETE FROM mail_outbox WHERE id IN (SELECT id FROM mail WHERE identity IS NULL))
UPDATE mail_outbox SET recipient = '', subject = '', body = NULL, lease_until = NULL, last_error = NULL,
  failed_at = CASE WHEN sent_at IS NULL THEN coalesce(failed_at, $4) END
WHERE id IN (SELECT id FROM mail WHERE identity IS NOT NULL);

-- name: queueMail :exec
-- Queues a mail that is due now, unless an earlier one has its identity, or the one that an earlier release gave it.
-- params: identity?, purpose, recipient, subject, body, now, earlierIdentity?
INSERT INTO mail_outbox (identity, purpose, recipient, subject, body, created_at, due_at)
SELECT $1::text, $2::text, $3::text, $4::text, $5::text, $6::timestamptz, $6::timestamptz
WHERE NOT EXISTS (SELECT FROM mail_outbox WHERE identity = $7::text)
ON CONFLICT (identity) DO NOTHING;
