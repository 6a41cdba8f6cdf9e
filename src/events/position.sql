-- The start of every request for events: the installation that cursors are valid for, the newest detection, the highest
-- id ever assigned, and the position after which the events since a time (milliseconds since 1970) begin. The index
-- (detected_at, id) finds that position in one step. Ids and detected_at grow together, because one importer at a time
-- writes events.
-- params: sinceMs
SELECT
  installation.instance_id AS "instanceId",
  detection.finished_at AS "finishedAt",
  detection.as_of AS "asOf",
  sequence.last_value AS "lastId",
  coalesce(
    (SELECT id - 1 FROM event_position
     WHERE detected_at >= to_timestamp($1::float8 / 1000)
     ORDER BY detected_at, id LIMIT 1),
    (SELECT max(id) FROM event_position),
    0) AS "sincePosition"
FROM installation
CROSS JOIN event_id_seq AS sequence
LEFT JOIN detection ON true
