-- The last id of the next events of a range; null when there is none.
-- params: before, last, most
SELECT max(id) AS last
FROM (SELECT id FROM event_position WHERE id > $1::bigint AND id <= $2::bigint ORDER BY id LIMIT $3) AS next
