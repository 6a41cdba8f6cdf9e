-- params: endpointId, accountId, now
UPDATE webhook_endpoint
SET deleted_at = $3, active = false, paused_at = coalesce(paused_at, $3), secret_sealed = '',
  previous_secret_sealed = NULL, previous_secret_until = NULL
WHERE id = $1::bigint AND account_id = $2 AND deleted_at IS NULL
