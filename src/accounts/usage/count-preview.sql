-- Counts a preview. The day never goes back: a process whose clock is behind counts in the day that others began.
-- params: accountId, day
INSERT INTO preview_day AS stored (account_id, day, used) VALUES ($1, $2, 1)
ON CONFLICT (account_id) DO UPDATE SET
    day = greatest(stored.day, excluded.day),
    used = CASE WHEN stored.day < excluded.day THEN 0 ELSE stored.used END + 1
RETURNING used
