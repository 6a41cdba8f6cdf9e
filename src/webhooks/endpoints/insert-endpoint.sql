-- Registers an endpoint for the events that come from now on.
-- params: id, accountId, url, description?, eventTypes, secretSealed, secretPrefix, createdAt
-- params: states?, usdots?, authorityTypes?, trucksMin?, trucksMax?, payload, honorRetryAfter
INSERT INTO webhook_endpoint (id, account_id, url, description, event_types, secret_sealed, secret_prefix,
  created_at, after_event_id, filter_states, filter_usdots, filter_authority_types, trucks_min, trucks_max, payload,
  honor_retry_after)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, (SELECT coalesce(max(id), 0) FROM event_position), $9, $10, $11, $12, $13, $14,
  $15)
