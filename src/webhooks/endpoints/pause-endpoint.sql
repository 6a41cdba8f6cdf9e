-- params: endpointId, reason, now
UPDATE webhook_endpoint SET active = false, disabled_reason = $2, paused_at = $3 WHERE id = $1 AND active
