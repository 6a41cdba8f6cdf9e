-- Makes an endpoint active for the events that come from now on.
-- params: endpointId
UPDATE webhook_endpoint
SET active = true, failure_streak = 0, disabled_reason = NULL, paused_at = NULL,
  after_event_id = (SELECT coalesce(max(id), 0) FROM event_position)
WHERE id = $1
