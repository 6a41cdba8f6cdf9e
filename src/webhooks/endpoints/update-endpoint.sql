-- Changes an endpoint. Another address resets the streak of failures.
-- params: id, url, description?, eventTypes, states?, usdots?, authorityTypes?, trucksMin?, trucksMax?, payload
-- params: honorRetryAfter
UPDATE webhook_endpoint
SET url = $2, description = $3, event_types = $4,
  failure_streak = CASE WHEN url = $2 THEN failure_streak ELSE 0 END,
  filter_states = $5, filter_usdots = $6, filter_authority_types = $7, trucks_min = $8, trucks_max = $9, payload = $10,
  honor_retry_after = $11
WHERE id = $1
