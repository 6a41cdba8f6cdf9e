-- Registers an endpoint for the events that come from now on.
-- params: id, accountId, url, description?, eventTypes, secretSealed, secretPrefix, createdAt
INSERT INTO webhook_endpoint (id, account_id, url, description, event_types, secret_sealed, secret_prefix,
  created_at, after_event_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, (SELECT coalesce(max(id), 0) FROM event_position))
