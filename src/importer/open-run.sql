-- params: folder, startedAt
INSERT INTO import_run (status, folder, started_at) VALUES ('running', $1, $2) RETURNING id
