-- params: afterId, most
SELECT id, secret_sealed, previous_secret_sealed
FROM webhook_endpoint WHERE id > $1 AND deleted_at IS NULL ORDER BY id LIMIT $2
