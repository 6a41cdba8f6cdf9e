-- Gives the table's upkeep back; finished is null when it is not done.
-- params: table, finishedAt?, oldestAt?
UPDATE upkeep SET lease_until = NULL, finished_at = coalesce($2, finished_at), oldest_at = CASE WHEN $2 IS NULL THEN oldest_at ELSE $3 END
WHERE table_name = $1
