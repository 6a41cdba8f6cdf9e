-- Ends lives of dispatchers that are dead: nothing more is recorded for them, and their accounts are free. Not of one that
-- was seen again and holds its lock again.
-- params: dispatcherIds
DELETE FROM webhook_dispatcher
WHERE id = ANY ($1::int[])
  AND (seen_at <= clock_timestamp() - interval '20 seconds' OR pg_try_advisory_xact_lock(72707376, id))
RETURNING id
