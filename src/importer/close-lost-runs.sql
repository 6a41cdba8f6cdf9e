-- The caller holds the publishing lock, so no run that is marked as running can be alive.
-- params: now
UPDATE import_run SET status = 'failed', finished_at = $1, refusal = 'The import was ended before it was done.'
WHERE status = 'running'
