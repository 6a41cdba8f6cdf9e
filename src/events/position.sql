-- Where a request stands: whose cursors are good here ($1: since, in milliseconds since 1970), the newest detection, the
-- highest id ever given out, and the position behind which the events since $1 lie. The index (detected_at, id) makes
-- that one step at any depth; ids and detected_at grow together, as one importer at a time writes events.
SELECT
  installation.instance_id AS "instanceId",
  detection.finished_at AS "finishedAt",
  detection.as_of AS "asOf",
  sequence.last_value AS "lastId",
  coalesce(
    (SELECT id - 1 FROM event
     WHERE detected_at >= to_timestamp($1::float8 / 1000)
     ORDER BY detected_at, id LIMIT 1),
    (SELECT max(id) FROM event),
    0) AS "sincePosition"
FROM installation
CROSS JOIN event_id_seq AS sequence
LEFT JOIN detection ON true
