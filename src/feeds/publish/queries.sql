-- name: countChangedRows :one
-- reads: removed_record, changed_cell
SELECT count(DISTINCT pos_now) AS rows FROM changed_cell;

-- name: countRevalued :many
-- By column, the cells that had a value in both versions.
-- reads: removed_record, changed_cell
-- never null: name
SELECT name, count(*)::int AS rows FROM changed_cell WHERE before <> 'null' AND after <> 'null' GROUP BY name;

-- name: deleteExpired :many
-- params: replacedBefore
DELETE FROM feed_version WHERE replaced_at < $1 RETURNING id;

-- name: expireReplaced :exec
UPDATE feed_version SET replaced_at = published_at - interval '1 year' WHERE replaced_at IS NOT NULL;

-- name: dropVersion :exec
-- params: id
SELECT drop_version($1);

-- name: findCurrent :one?
-- The served version of a feed. `isRolledBack` if an operator pointed readers back to it, so that it is older than the
-- registry.
-- params: feed
SELECT id, row_count AS "rowCount", as_of AS "asOf", fingerprint,
  rolled_back_at IS NOT NULL AS "isRolledBack"
FROM feed_current JOIN feed_version ON id = version_id WHERE feed_current.feed_code = $1;

-- name: forgetSizes :exec
DELETE FROM feed_size;

-- name: insertStep :one
-- One importer at a time writes steps, so their numbers need no sequence.
-- params: feed, fromVersion?, toVersion, asOf, publishedAt, takenAt, cause, rules, states
INSERT INTO feed_step (id, feed_code, from_version, to_version, as_of, published_at, taken_at, cause, rules, states,
  list_number)
SELECT coalesce(max(id), 0) + 1, $1, $2, $3, $4, $5, $6, $7, $8, $9::text::jsonb,
  (SELECT split_part(list_state, '.', 1)::bigint FROM feed_version WHERE id = $3)
FROM feed_step RETURNING id;

-- name: insertVersion :one
-- params: feed, asOf, fingerprint, now, listState, columnsHash
INSERT INTO feed_version (feed_code, as_of, row_count, fingerprint, published_at, list_state, columns_hash)
VALUES ($1, $2, 0, $3, $4, $5, $6) RETURNING id;

-- name: listAgents :many
SELECT kind, value FROM agent_contact ORDER BY kind, value;

-- name: noteSize :exec
-- Records the rows of the version that readers get from now on, under its as-of day. Later days belong to versions that
-- readers no longer get.
-- params: feed, asOf, rows
WITH later AS (DELETE FROM feed_size WHERE feed_code = $1 AND as_of > $2)
INSERT INTO feed_size (feed_code, as_of, row_count) VALUES ($1, $2, $3)
ON CONFLICT (feed_code, as_of) DO UPDATE SET row_count = excluded.row_count;

-- name: openDifferences :exec
-- The records that a version of a feed has no more, and the cells that differ. The tables are emptied for each feed
-- instead of made anew: the commit tells every connection about each table and column that was made or dropped.
-- makes: removed_record, changed_cell
CREATE TEMP TABLE IF NOT EXISTS removed_record
  (name text, usdot integer, docket text, row_position integer, before jsonb, after jsonb)
ON COMMIT DROP;
CREATE TEMP TABLE IF NOT EXISTS changed_cell
  (usdot integer, pos_now integer, docket text, name text, before jsonb, after jsonb)
ON COMMIT DROP;
TRUNCATE removed_record, changed_cell;

-- name: pointBack :exec
-- params: feed, to, now
UPDATE feed_current SET version_id = $2, rolled_back_at = $3 WHERE feed_code = $1;

-- name: pointReaders :exec
-- params: feed, id
INSERT INTO feed_current (feed_code, version_id) VALUES ($1, $2)
ON CONFLICT (feed_code) DO UPDATE SET version_id = excluded.version_id, rolled_back_at = NULL;

-- name: replaceCurrent :exec
-- Notes that the served version of a feed is replaced.
-- params: feed, now
UPDATE feed_version SET replaced_at = $2
WHERE id = (SELECT version_id FROM feed_current WHERE feed_code = $1);

-- name: rulesOfVersion :one?
-- The rules by which a version was made; no row for a version of a release without steps.
-- params: version
SELECT rules FROM feed_step WHERE to_version = $1 ORDER BY id DESC LIMIT 1;

-- name: setRowCount :exec
-- params: id, rows
UPDATE feed_version SET row_count = $2 WHERE id = $1;

-- name: swapReplaced :exec
-- params: from, to, now
UPDATE feed_version SET replaced_at = CASE WHEN id = $1 THEN $3::timestamptz END WHERE id IN ($1, $2);

-- name: unlock :exec
-- params: key
SELECT pg_advisory_unlock($1);

-- name: versionBefore :one?
-- The served version of a feed, and the one before it that was replaced last, after a time: null if there is none. An import
-- after new rules replaces two versions at one time: the one of the new rules is the later one.
-- params: feed, replacedAfter
SELECT version_id AS "from", served.published_at AS from_published_at, before.id AS "to", before.as_of, before.published_at,
  before.row_count AS rows
FROM feed_current
JOIN feed_version AS served ON served.id = version_id
LEFT JOIN LATERAL (
  SELECT * FROM feed_version
  WHERE feed_version.feed_code = feed_current.feed_code AND id < version_id
    AND replaced_at > $2
  ORDER BY replaced_at DESC, id DESC LIMIT 1
) AS before ON true
WHERE feed_current.feed_code = $1;

-- name: withdrawFeeds :exec
-- params: except, now
WITH withdrawn AS (DELETE FROM feed_current WHERE feed_code <> ALL ($1) RETURNING version_id)
UPDATE feed_version SET replaced_at = $2 WHERE id IN (SELECT version_id FROM withdrawn);
