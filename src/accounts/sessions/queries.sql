-- name: accountsOfAddress :many
-- The open accounts that an address belongs to, the oldest first.
-- params: email
-- typed: role Role from ../people/roles.ts
SELECT person.id AS "personId", account.id AS "accountId", account.name AS "accountName", person.role
FROM account_person AS person JOIN account ON account.id = person.account_id
WHERE lower(person.email) = lower($1) AND closed_at IS NULL ORDER BY account.id;

-- name: closeSession :one?
-- params: tokenHash
DELETE FROM dashboard_session WHERE token_hash = $1 RETURNING created_at AS "createdAt";

-- name: countLinks :one
-- How many links were made for an address within a time, and how many of them are unused. Links that a wrong clock dated ahead
-- do not count.
-- params: email, after, before
SELECT count(*) AS links, count(*) FILTER (WHERE used_at IS NULL) AS unused FROM account_person AS person JOIN sign_in_link AS link ON link.person_id = person.id
WHERE lower(person.email) = lower($1) AND created_at > $2 AND created_at < $3;

-- name: endSessionsOf :exec
-- Ends every session of an address, in all its accounts, and deletes its unused links. Returns how many sessions.
-- params: email
WITH own AS (SELECT id FROM account_person WHERE lower(email) = lower($1)),
links AS (DELETE FROM sign_in_link WHERE person_id IN (SELECT id FROM own) AND used_at IS NULL)
DELETE FROM dashboard_session WHERE person_id IN (SELECT id FROM own);

-- name: findSession :one?
-- A sign-in that was under way when the account was closed has left a session of a closed one.
-- params: tokenHash, seenAfter, createdAfter
-- typed: role Role from ../people/roles.ts
SELECT account.id AS "accountId", account.name AS "accountName", account.suspension, person.id AS "personId",
  person.email, person.role, last_seen_at AS "lastSeenAt",
  (SELECT count(*) FROM account_person AS other JOIN account AS own ON own.id = other.account_id
   WHERE lower(other.email) = lower(person.email) AND own.closed_at IS NULL) AS accounts
FROM dashboard_session AS session
JOIN account_person AS person ON person.id = session.person_id
JOIN account ON account.id = person.account_id
WHERE token_hash = $1 AND last_seen_at > $2 AND session.created_at > $3 AND closed_at IS NULL;

-- name: forgetNewEmails :many
-- Deletes the unused links that would change a person's address. Returns the addresses.
-- params: personId
DELETE FROM sign_in_link WHERE person_id = $1 AND new_email IS NOT NULL AND used_at IS NULL RETURNING new_email AS email;

-- name: insertLink :exec
-- params: tokenHash, personId, now, expiresAt, newEmail?
INSERT INTO sign_in_link (token_hash, person_id, created_at, expires_at, new_email) VALUES ($1, $2, $3, $4, $5);

-- name: lockPeopleOfAddress :many
-- The people of an e-mail address in open accounts, locked, so that concurrent requests count and make links one after the
-- other. The oldest account first.
-- params: email, most
SELECT person.id, account.name, person.email
FROM account_person AS person JOIN account ON account.id = person.account_id
WHERE lower(person.email) = lower($1) AND closed_at IS NULL ORDER BY account.id LIMIT $2 FOR UPDATE OF person;

-- name: openSession :exec
-- params: personId, createdAt, now, tokenHash
INSERT INTO dashboard_session (token_hash, person_id, created_at, last_seen_at) VALUES ($4, $1, $2, $3);

-- name: personOf :one?
-- params: personId
-- typed: role Role from ../people/roles.ts
SELECT id, account_id AS "accountId", email, role FROM account_person WHERE id = $1;

-- name: replaceEmail :one?
-- Makes an address a person's, and ends what the owner of the one before could sign in with. Returns that one. No row when
-- another person of the account has the address by now.
-- params: personId, newEmail
WITH before AS (
  SELECT person.id, account_id, account.name, person.email
  FROM account_person AS person JOIN account ON account.id = person.account_id
  WHERE person.id = $1 AND NOT EXISTS (
    SELECT FROM account_person AS other
    WHERE other.account_id = person.account_id AND other.id <> person.id AND lower(other.email) = lower($2))
  FOR NO KEY UPDATE OF person),
ended AS (DELETE FROM dashboard_session WHERE person_id IN (SELECT id FROM before)),
forgotten AS (DELETE FROM sign_in_link WHERE person_id IN (SELECT id FROM before) AND used_at IS NULL)
UPDATE account_person AS person SET email = $2 FROM before WHERE person.id = before.id
RETURNING before.account_id AS "accountId", before.name, before.email;

-- name: takeLink :one?
-- Uses a valid sign-in link.
-- params: linkHash, now
UPDATE sign_in_link SET used_at = $2
WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2
RETURNING person_id AS "personId", new_email AS "newEmail";
