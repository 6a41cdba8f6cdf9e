-- Holds the advisory lock of a dispatcher while the session is open, by which others see at once that the process has died.
-- params: dispatcherId
SELECT pg_try_advisory_lock(72707376, $1) AS "isHeld"
