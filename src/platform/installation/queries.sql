-- name: demoFirstDay :one?
SELECT demo_first_day AS day FROM installation;

-- name: fixture :one?
-- The column came after the table.
SELECT to_jsonb(installation) ->> 'fixture' AS fixture FROM installation;

-- name: instanceId :one?
SELECT instance_id AS id FROM installation;

-- name: markDemo :exec
-- params: firstDay?
UPDATE installation SET demo_first_day = $1;

-- name: markFixture :exec
-- params: fixture
UPDATE installation SET fixture = $1;

-- name: markTestMode :exec
-- params: now
UPDATE installation SET test_mode_since = $1 WHERE test_mode_since IS NULL;

-- name: readCheck :one?
SELECT secrets_check AS "check" FROM installation;

-- name: readRecordIdKey :one?
SELECT record_id_key AS key FROM installation;

-- name: replaceCheck :exec
-- params: sealed, before
UPDATE installation SET secrets_check = $1 WHERE secrets_check = $2;

-- name: setFirstCheck :one?
-- Keeps the sealed check that is stored; stores this one where there is none.
-- params: sealed
UPDATE installation SET secrets_check = coalesce(secrets_check, $1) RETURNING secrets_check AS "check";

-- name: testModeSince :one?
SELECT test_mode_since AS since FROM installation;
