-- Forgets the failures of an endpoint, which has accepted a delivery, unless it is paused.
-- params: endpointId
UPDATE webhook_endpoint SET failure_streak = 0 WHERE id = $1 AND failure_streak > 0 AND active
