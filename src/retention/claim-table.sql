-- Claims the upkeep of a table that was not cleared within the interval, unless another process has it.
-- params: table, now, clearedBefore, leaseUntil
INSERT INTO upkeep AS stored (table_name, lease_until) VALUES ($1, $4)
ON CONFLICT (table_name) DO UPDATE SET lease_until = excluded.lease_until
WHERE (stored.lease_until IS NULL OR stored.lease_until <= $2 OR stored.lease_until > $4)
  AND (stored.finished_at IS NULL OR stored.finished_at <= $3 OR stored.finished_at > $2)
RETURNING 1 AS claimed
