-- params: id, finishedAt, asOf, report
UPDATE import_run SET status = 'published', finished_at = $2, as_of = $3, report = $4 WHERE id = $1
