-- Changes an endpoint. Another address resets the streak of failures.
-- params: id, url, description?, eventTypes
UPDATE webhook_endpoint
SET url = $2, description = $3, event_types = $4,
  failure_streak = CASE WHEN url = $2 THEN failure_streak ELSE 0 END
WHERE id = $1
