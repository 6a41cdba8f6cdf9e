-- name: changeRole :exec
-- params: personId, role
UPDATE account_person SET role = $2 WHERE id = $1;

-- name: countInvitations :one
-- How many addresses besides one are invited to an account.
-- params: accountId, email
SELECT count(*) AS count FROM invitation WHERE account_id = $1 AND lower(email) <> lower($2);

-- name: deletePerson :many
-- Their sessions and links go with them. Returns their address, and a new one that they did not confirm.
-- params: personId
WITH person AS (DELETE FROM account_person WHERE id = $1 RETURNING email)
SELECT email FROM person
UNION SELECT new_email FROM sign_in_link WHERE person_id = $1 AND new_email IS NOT NULL;

-- name: insertAction :exec
-- params: accountId, now, person, action, subject?
INSERT INTO account_log (account_id, at, person, action, subject) VALUES ($1, $2, $3, $4, $5);

-- name: insertPerson :one
-- params: accountId, email, role, joinedAt
INSERT INTO account_person (account_id, email, role, joined_at) VALUES ($1, $2, $3, $4) RETURNING id;

-- name: peopleOf :many
-- The people of an account, those who joined first before the others.
-- params: accountId
-- typed: role Role from ./roles.ts
SELECT id, email, role, joined_at AS "joinedAt" FROM account_person WHERE account_id = $1 ORDER BY id;

-- name: withdrawInvitationsOf :many
-- Withdraws what a person has invited. Returns the invited addresses.
-- params: accountId, email
DELETE FROM invitation WHERE account_id = $1 AND invited_by = $2 RETURNING email;
