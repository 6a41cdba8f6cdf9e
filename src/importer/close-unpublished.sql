-- params: id, status, finishedAt, refusal
UPDATE import_run SET status = $2, finished_at = $3, refusal = $4 WHERE id = $1
