-- The dispatchers, and whether nobody holds the lock of their session. The lock is tried for the length of this statement.
-- params: dispatcherId
SELECT id, seen_at AS "seenAt",
  CASE WHEN id <> $1 THEN pg_try_advisory_xact_lock(72707376, id) ELSE false END AS "isUnheld"
FROM webhook_dispatcher
ORDER BY id
