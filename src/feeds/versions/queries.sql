-- name: currentVersions :many
-- The version of each feed that is served now, and the state of the removal list in the same snapshot.
-- plan: once
SELECT feed_version.feed_code, feed_version.id, as_of, row_count, published_at, feed_version.list_state AS built_list_state,
  columns_hash, removal_list_state.state AS list_state
FROM feed_current JOIN feed_version ON id = version_id CROSS JOIN removal_list_state;

-- name: deleteUnpacked :exec
-- Deletes the packed columns of a version that are not `size` bytes long.
-- params: id, size
DELETE FROM feed_version_column WHERE version_id = $1 AND octet_length(packed) <> $2;

-- name: lockVersion :exec
-- params: id
SELECT FROM feed_version WHERE id = $1 FOR NO KEY UPDATE;

-- name: partOfColumn :one?
-- `count` bytes of a packed column from the byte `first` on, and the size of the whole. No row if the version does not
-- exist; null if it has no such column.
-- params: versionId, name, first, count
-- plan: once
SELECT substr(packed, $3, $4) AS part, octet_length(packed) AS size
FROM feed_version LEFT JOIN feed_version_column ON version_id = id AND name = $2 WHERE id = $1;

-- name: rolledBack :many
SELECT feed_code AS feed, rolled_back_at AS at FROM feed_current WHERE rolled_back_at IS NOT NULL ORDER BY feed_code;

-- name: sizeHistory :many
-- The rows of these feeds by as-of day: of the last day up to `since`, and of every later one.
-- params: feeds, since
SELECT feed_code AS feed, as_of AS "asOf", row_count AS rows
FROM feed_size
WHERE feed_code = ANY ($1)
  AND as_of >= coalesce((SELECT max(as_of) FROM feed_size AS earlier
                         WHERE earlier.feed_code = feed_size.feed_code AND earlier.as_of <= $2), $2)
ORDER BY feed_code, as_of;

-- name: tableColumns :many
-- params: table
SELECT attname::text AS name FROM pg_attribute WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped;

-- name: textsOfColumn :one?
-- The texts of a packed column of free text. No row if the version does not exist; null if it has no such column.
-- params: versionId, name
-- plan: once
SELECT texts FROM feed_version LEFT JOIN feed_version_column ON version_id = id AND name = $2 WHERE id = $1;

-- name: versionsById :many
-- params: ids
-- plan: once
SELECT feed_version.feed_code, feed_version.id, as_of, row_count, published_at, feed_version.list_state AS built_list_state,
  columns_hash, removal_list_state.state AS list_state,
  replaced_at
FROM feed_version CROSS JOIN removal_list_state WHERE feed_version.id = ANY ($1);

-- name: listState :one?
SELECT state AS "listState" FROM removal_list_state;

-- name: servedVersions :many
-- The version of each feed that is served now, with its number of rows.
SELECT feed_current.feed_code AS feed, id, row_count AS rows
FROM feed_current JOIN feed_version ON id = version_id ORDER BY feed_current.feed_code;
