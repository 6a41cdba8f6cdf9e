-- name: addressesGone :many
-- Those of some addresses that no open account has, invites or is to get any more.
-- params: emails, now
SELECT address AS email FROM unnest($1::text[]) AS address
WHERE NOT EXISTS (
    SELECT FROM account_person AS person JOIN account ON account.id = account_id
    WHERE lower(person.email) = lower(address) AND closed_at IS NULL)
  AND NOT EXISTS (
    SELECT FROM sign_in_link WHERE lower(new_email) = lower(address) AND used_at IS NULL AND expires_at > $2)
  AND
-- include: uninvited
;

-- name: addressesUninvited :many
-- Those of some addresses that no account invites any more.
-- params: emails, now
SELECT address AS email FROM unnest($1::text[]) AS address WHERE
-- include: uninvited
;

-- part: uninvited
NOT EXISTS (SELECT FROM invitation WHERE lower(invitation.email) = lower(address) AND expires_at > $2)

-- name: closeAccount :exec
-- An account that was closed with its data still there can be erased later.
-- params: accountId, now, erases
UPDATE account SET closed_at = coalesce(closed_at, $2), suspended_at = NULL, suspension = NULL
WHERE id = $1 AND (closed_at IS NULL OR $3 AND
-- include: hasData
);

-- name: closedWithData :many
-- The closed accounts that can still be erased.
SELECT id FROM account WHERE closed_at IS NOT NULL AND
-- include: hasData
;

-- part: hasData
-- An account of test mode has no people.
(EXISTS (SELECT FROM account_person WHERE account_id = account.id)
 OR EXISTS (SELECT FROM api_key WHERE account_id = account.id)
 OR EXISTS (SELECT FROM usage_day WHERE account_id = account.id)
 OR EXISTS (SELECT FROM usage_month WHERE account_id = account.id))

-- name: deleteViews :exec
-- params: accountId
DELETE FROM saved_view WHERE account_id = $1;

-- name: endSessions :many
-- Ends what people of an account could sign in with. Returns their addresses, and those that were invited or not confirmed yet.
-- params: accountId
WITH own AS (SELECT id, email FROM account_person WHERE account_id = $1),
sessions AS (DELETE FROM dashboard_session WHERE person_id IN (SELECT id FROM own)),
links AS (DELETE FROM sign_in_link WHERE person_id IN (SELECT id FROM own) RETURNING new_email),
invitations AS (DELETE FROM invitation WHERE account_id = $1 RETURNING email)
SELECT email FROM own
UNION SELECT new_email FROM links WHERE new_email IS NOT NULL
UNION SELECT email FROM invitations;

-- name: eraseAccount :exec
-- Erases who a closed account was; eraseUsage erases what it used. Its number and licence reference stay: exports name them.
-- params: accountId
WITH keys AS (DELETE FROM api_key WHERE account_id = $1 RETURNING id),
minutes AS (DELETE FROM key_minute WHERE key_id IN (SELECT id FROM keys)),
charges AS (DELETE FROM export_charge WHERE account_id = $1),
slots AS (DELETE FROM export_slot WHERE account_id = $1),
previews AS (DELETE FROM preview_day WHERE account_id = $1),
answers AS (DELETE FROM idempotent_answer WHERE account_id = $1),
plans AS (DELETE FROM account_plan_change WHERE account_id = $1),
requests AS (DELETE FROM access_request WHERE account_id = $1),
actions AS (DELETE FROM account_log WHERE account_id = $1),
renamed AS (UPDATE account SET name = 'Closed account' WHERE id = $1)
DELETE FROM account_person WHERE account_id = $1;

-- name: eraseUsage :exec
-- params: accountId
WITH months AS (DELETE FROM usage_month WHERE account_id = $1)
DELETE FROM usage_day WHERE account_id = $1;

-- name: forgetWaiting :exec
-- Deletes the request for access that an account waits by.
-- params: accountId
DELETE FROM access_request WHERE account_id = $1 AND state = 'waiting';

-- name: insertAccount :one
-- Opens an account with its first owner and records its plan from then on.
-- params: name, email, planCode, licenceRef, now
WITH opened AS (
  INSERT INTO account (name, plan_code, licence_ref, created_at) VALUES ($1, $3, $4, $5) RETURNING *),
recorded AS (
  INSERT INTO account_plan_change (account_id, plan_code, changed_at) SELECT id, plan_code, created_at FROM opened),
owner AS (
  INSERT INTO account_person (account_id, email, role, joined_at) SELECT id, $2, 'owner', created_at FROM opened
  RETURNING email)
SELECT id, name, coalesce((SELECT email FROM owner), '') AS email, plan_code AS "planCode", licence_ref AS "licenceRef", created_at AS "createdAt", suspension,
  closed_at AS "closedAt"
FROM opened;

-- name: lockOpenAccount :exec
-- params: accountId
SELECT FROM account WHERE id = $1 AND closed_at IS NULL FOR NO KEY UPDATE;

-- name: mirrorAccount :exec
-- Opens an account of this number and records its plan, unless the account is there and open.
-- params: id, name, planCode, licenceRef, now
WITH reopened AS (
  UPDATE account SET name = $2, plan_code = $3, closed_at = NULL WHERE id = $1 AND closed_at IS NOT NULL RETURNING *),
opened AS (
  INSERT INTO account (id, name, plan_code, licence_ref, created_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (id) DO NOTHING RETURNING *)
INSERT INTO account_plan_change (account_id, plan_code, changed_at)
SELECT id, plan_code, $5 FROM reopened UNION ALL SELECT id, plan_code, $5 FROM opened;

-- name: movePlan :one?
-- Moves an account to a plan and records it.
-- params: accountId, planCode, now
WITH moved AS (UPDATE account SET plan_code = $2 WHERE id = $1 RETURNING *),
recorded AS (INSERT INTO account_plan_change (account_id, plan_code, changed_at) SELECT id, plan_code, $3 FROM moved)
SELECT id, name, plan_code AS "planCode", licence_ref AS "licenceRef", created_at AS "createdAt", suspension,
  closed_at AS "closedAt",
  coalesce((SELECT email FROM account_person WHERE account_id = moved.id AND role = 'owner' ORDER BY id LIMIT 1), '') AS email
FROM moved;

-- name: revokeKeys :exec
-- params: accountId, now
UPDATE api_key SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL;

-- name: waitForCounts :exec
-- Counts that are being written are there when this returns, and no others are until the transaction ends.
LOCK TABLE usage_day, usage_month IN SHARE ROW EXCLUSIVE MODE;
