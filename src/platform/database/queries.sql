-- name: countAppliedMigrations :one
-- How many of these migrations the database has.
-- params: names
SELECT count(*) AS applied FROM _prisma_migrations
WHERE migration_name = ANY ($1) AND finished_at IS NOT NULL AND rolled_back_at IS NULL;

-- name: ownerOfDatabase :one?
-- The role that a database belongs to, and whether this one has its rights.
-- params: name
-- never null: owner
SELECT pg_get_userbyid(datdba) AS owner, pg_has_role(datdba, 'USAGE') AS "isOurs" FROM pg_database WHERE datname = $1;

-- name: readClock :one
SELECT clock_timestamp() AS now;

-- name: readPlace :one
-- The database of the session that runs this, and when its server started. The identifier that a server keeps in its files
-- does not do: a copy of the files has the same.
-- never null: name, serverStartedAt
SELECT current_database()::text AS name, extract(epoch FROM pg_postmaster_start_time())::text AS "serverStartedAt";

-- name: readSession :one
-- The settings of the session that runs this, its role, and the process of the server that runs it.
-- never null: timeZone, statementTimeoutMs, role
SELECT current_setting('TimeZone') AS "timeZone", quote_ident(current_user) AS role, pg_backend_pid() AS "processId",
  (SELECT setting::integer FROM pg_settings WHERE name = 'statement_timeout') AS "statementTimeoutMs";

-- name: lock :exec
-- Waits for an advisory lock, and holds it until the transaction ends.
-- params: key
SELECT pg_advisory_xact_lock($1);

-- name: trySessionLock :one
-- Takes an advisory lock until the session ends.
-- params: key
SELECT pg_try_advisory_lock($1) AS "isTaken";

-- name: tryLock :one
-- Takes an advisory lock until the transaction ends.
-- params: key
SELECT pg_try_advisory_xact_lock($1) AS "isTaken";
