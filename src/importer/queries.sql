-- name: closeLostRuns :exec
-- The caller holds the publishing lock, so no run that is marked as running can be alive.
-- params: now
UPDATE import_run SET status = 'failed', finished_at = $1, refusal = 'The import was ended before it was done.'
WHERE status = 'running';

-- name: closePublished :exec
-- params: id, finishedAt, asOf, report
UPDATE import_run SET status = 'published', finished_at = $2, as_of = $3, report = $4 WHERE id = $1;

-- name: discardTemporary :exec
-- Drops every temporary table of the session.
DISCARD TEMP;

-- name: emptyTemporary :exec
-- Empties the temporary tables of the transaction. The commit drops them, and otherwise it would free their space just when
-- readers get the new versions.
DO $$
BEGIN
  EXECUTE (
    SELECT 'TRUNCATE ' || string_agg(oid::regclass::text, ', ') FROM pg_class
    WHERE relnamespace = pg_my_temp_schema() AND relkind = 'r' AND xmin = pg_current_xact_id()::xid);
END
$$;

-- name: endMergeCosts :exec
-- Of the tables that feeds are made from, most are temporary: no other process can read those. Where a few tables that
-- others can read are joined with them, handing every row over costs more than it saves.
SET LOCAL parallel_tuple_cost TO DEFAULT;

-- name: lastVersionNumber :one
SELECT last_value AS value, is_called AS "isCalled" FROM feed_version_id_seq;

-- name: listPublications :many
-- Reports of older programs, which did not count rows by source, are left out.
-- params: versions
-- typed: published PublishedFeed from ../feeds/publish/publish.ts
SELECT published FROM import_run
CROSS JOIN LATERAL jsonb_array_elements(report->'feeds') WITH ORDINALITY AS feeds (published, index)
WHERE status = 'published' AND (published->>'isNew')::boolean
  AND (published->>'version')::integer = ANY ($1) AND published->'rowsBySource' IS NOT NULL
ORDER BY index;

-- name: hasPublished :one
SELECT EXISTS (SELECT FROM import_run WHERE status = 'published') AS "hasPublished";

-- name: newestRuns :many
-- typed: status RunStatus from ./runs.ts
SELECT DISTINCT ON (status) id, status, started_at AS "startedAt", finished_at AS "finishedAt", folder, refusal,
  coalesce(refused_checks, '{}') AS "refusedChecks"
FROM import_run ORDER BY status, id DESC;

-- name: openRun :one
-- params: folder, startedAt
INSERT INTO import_run (status, folder, started_at) VALUES ('running', $1, $2) RETURNING id;

-- name: setMergeMemory :exec
-- Whole files are compared, sorted and indexed. With the default of 4 MB these steps would write temporary files. A third
-- of the default sample is enough for the planner: the columns are names, numbers and days. Comparing files finds few rows
-- among many. The planner expects many, so at its own cost per row it would not share that work among processes.
SET LOCAL work_mem = '64MB';
SET LOCAL maintenance_work_mem = '256MB';
SET LOCAL default_statistics_target = 30;
SET LOCAL parallel_tuple_cost = 0.001;

-- name: setVersionNumber :exec
-- params: value, isCalled
SELECT setval('feed_version_id_seq', $1, $2);
