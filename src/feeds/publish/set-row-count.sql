-- params: id, rows
UPDATE feed_version SET row_count = $2 WHERE id = $1
