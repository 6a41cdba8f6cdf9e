-- params: finishedAt, asOf
INSERT INTO detection (finished_at, as_of) VALUES ($1, $2)
ON CONFLICT (id) DO UPDATE SET finished_at = excluded.finished_at, as_of = excluded.as_of
