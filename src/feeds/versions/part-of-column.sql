-- `count` bytes of a packed column from the byte `first` on, and the size of the whole. No row if the version does not
-- exist; null if it has no such column.
-- params: versionId, name, first, count
SELECT substr(packed, $3, $4) AS part, octet_length(packed) AS size
FROM feed_version LEFT JOIN feed_version_column ON version_id = id AND name = $2 WHERE id = $1
