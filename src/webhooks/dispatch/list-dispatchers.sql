-- The dispatchers: whether each was not seen for 20 s, and whether nobody holds the lock of its session. The lock is tried
-- for the length of this statement.
-- params: dispatcherId
SELECT id, seen_at <= clock_timestamp() - interval '20 seconds' AS "isUnseen",
  CASE WHEN id <> $1 THEN pg_try_advisory_xact_lock(72707376, id) ELSE false END AS "isUnheld"
FROM webhook_dispatcher
ORDER BY id
