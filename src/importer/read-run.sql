-- params: id
-- typed: status RunStatus from ./runs.ts
-- typed: report ImportReport from ./runs.ts
SELECT
-- include: run-columns.sql
FROM import_run WHERE id = $1
