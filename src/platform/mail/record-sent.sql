-- Records that a mail was sent, no matter which process holds its lease now: it needs no other try.
-- params: id, now
UPDATE mail_outbox SET sent_at = $2, body = NULL, lease_until = NULL, failed_at = NULL, last_error = NULL
WHERE id = $1 AND sent_at IS NULL
