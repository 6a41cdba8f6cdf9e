-- Replaces a secret. The old one is kept until a time, or not at all.
-- params: endpointId, accountId, sealed, prefix, previousUntil?
UPDATE webhook_endpoint
SET secret_sealed = $3, secret_prefix = $4, previous_secret_until = $5,
  previous_secret_sealed = CASE WHEN $5::timestamptz IS NOT NULL THEN secret_sealed END
WHERE id = $1::bigint AND account_id = $2 AND deleted_at IS NULL
