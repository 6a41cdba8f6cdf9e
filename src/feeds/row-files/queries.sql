-- name: listVersions :many
SELECT id FROM feed_version;
