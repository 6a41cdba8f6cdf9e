-- name: listLog :many
-- What operators did, newest first. A command whose end is missing was ended before it was done, or still runs.
-- params: most
SELECT begun.id, begun.at, begun.operator, begun.command, begun.words, ended.at AS "endedAt", ended.failure
FROM operator_log AS begun
LEFT JOIN operator_log AS ended ON ended.begun_id = begun.id
WHERE begun.begun_id IS NULL
ORDER BY begun.id DESC
LIMIT $1;

-- name: writeLog :one?
-- params: at, operator, command, words, begunId?, failure?
INSERT INTO operator_log (at, operator, command, words, begun_id, failure) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id;
