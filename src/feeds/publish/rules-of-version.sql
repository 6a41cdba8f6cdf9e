-- The rules by which a version was made; no row for a version of a release without steps.
-- params: version
SELECT rules FROM feed_step WHERE to_version = $1 ORDER BY id DESC LIMIT 1
