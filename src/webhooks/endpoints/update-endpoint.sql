-- Changes an endpoint. Another address resets the streak of failures.
-- params: id, url, description?, eventTypes
-- never null: eventTypes
-- typed: eventTypes EventType[] from ../../events/event-types.ts
UPDATE webhook_endpoint
SET url = $2, description = $3, event_types = $4,
  failure_streak = CASE WHEN url = $2 THEN failure_streak ELSE 0 END
WHERE id = $1
RETURNING id, url, description, event_types AS "eventTypes", active, failure_streak AS "failureStreak",
  disabled_reason AS "disabledReason", secret_prefix AS "secretPrefix", created_at AS "createdAt"
