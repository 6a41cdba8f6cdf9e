-- params: from, to, now
UPDATE feed_version SET replaced_at = CASE WHEN id = $1 THEN $3::timestamptz END WHERE id IN ($1, $2)
