-- Deletes the packed columns of a version that are not `size` bytes long.
-- params: id, size
DELETE FROM feed_version_column WHERE version_id = $1 AND octet_length(packed) <> $2
