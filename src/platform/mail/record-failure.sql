-- Records a failed try of a mail, unless a later try has begun. The mail is due again at `dueAt`, or given up at
-- `failedAt`.
-- params: id, attempt, reason, dueAt?, failedAt?
UPDATE mail_outbox SET due_at = coalesce($4, due_at), failed_at = $5, lease_until = NULL, last_error = $3,
  body = CASE WHEN $5::timestamptz IS NULL THEN body END
WHERE id = $1 AND attempts = $2
