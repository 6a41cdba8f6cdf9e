-- Nobody else should use the database. A transaction that somebody left open ends the restore instead of delaying it.
-- params: none
SET LOCAL lock_timeout = '3s';
SET LOCAL maintenance_work_mem = '256MB'
