-- The texts of a packed column of free text. No row if the version does not exist; null if it has no such column.
-- params: versionId, name
SELECT texts FROM feed_version LEFT JOIN feed_version_column ON version_id = id AND name = $2 WHERE id = $1
