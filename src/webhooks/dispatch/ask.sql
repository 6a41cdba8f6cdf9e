-- Asks nothing of the server: its answer shows that it still holds the lock for us.
-- params: none
SELECT
