-- params: endpointId, accountId, sealed, prefix
UPDATE webhook_endpoint SET secret_sealed = $3, secret_prefix = $4
WHERE id = $1::bigint AND account_id = $2 AND deleted_at IS NULL
