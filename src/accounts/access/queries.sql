-- name: countRequests :one
-- How many requests a mailbox and all made since a time, and whether the address has an open account.
-- params: email, mailbox, dayAgo, hourAgo
SELECT count(*) FILTER (WHERE mailbox = $2 AND requested_at > $3) AS mailbox,
  count(*) FILTER (WHERE requested_at > $4) AS all,
  EXISTS (SELECT FROM account_person AS person JOIN account ON account.id = person.account_id
          WHERE lower(person.email) = lower($1) AND closed_at IS NULL) AS "hasAccount"
FROM access_request WHERE requested_at > least($3::timestamptz, $4::timestamptz);

-- name: insertRequest :exec
-- params: name, company, email, mailbox, purpose, wishedPlan?, tokenHash, now, expiresAt
INSERT INTO access_request (state, name, company, email, mailbox, purpose, wished_plan, token_hash, requested_at, expires_at)
VALUES ('unconfirmed', $1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: findUnconfirmed :one?
-- params: tokenHash, now
SELECT id, name, company, email, purpose, wished_plan AS "wishedPlan"
FROM access_request WHERE token_hash = $1 AND state = 'unconfirmed' AND expires_at > $2;

-- name: forgetUnconfirmed :exec
-- Deletes every request of an address that was not confirmed but one; its links work no more.
-- params: email, id
DELETE FROM access_request WHERE lower(email) = lower($1) AND state = 'unconfirmed' AND id <> $2;

-- name: makeWaitingPlan :exec
-- The plan of accounts that wait for the operator's word, unless there is one of that code.
-- params: code, name, now
WITH made AS (
  INSERT INTO plan (code, name, api_access, requests_per_minute, rows_per_month, concurrent_exports, watched_carriers)
  VALUES ($1, $2, false, 60, 0, 1, 0) ON CONFLICT (code) DO NOTHING RETURNING code)
INSERT INTO plan_feeds_change (plan_code, changed_at, feeds) SELECT code, $3, '{}' FROM made;

-- name: confirmRequest :exec
-- params: id, accountId, now
UPDATE access_request SET state = 'waiting', confirmed_at = $3, account_id = $2 WHERE id = $1;

-- name: lockRequest :one?
-- A request, locked, with the address and the plan that its account has now, and whether it is suspended.
-- params: id
-- typed: state AccessState from ./requests.ts
SELECT request.id, request.state, request.company, request.account_id AS "accountId",
  coalesce((SELECT owner.email FROM account_person AS owner
            WHERE owner.account_id = request.account_id AND role = 'owner' ORDER BY owner.id LIMIT 1), request.email) AS email,
  request.granted_plan AS "grantedPlan", account.plan_code AS "planCode", suspended_at IS NOT NULL AS "isSuspended"
FROM access_request AS request LEFT JOIN account ON account.id = request.account_id
WHERE request.id = $1
FOR UPDATE OF request;

-- name: grantRequest :exec
-- params: id, planCode, now
UPDATE access_request SET state = 'granted', granted_plan = $2, decided_at = $3 WHERE id = $1;

-- name: declineRequest :exec
-- The account is no more, so that erasing it does not erase the request.
-- params: id, reason, now
UPDATE access_request SET state = 'declined', reason = $2, decided_at = $3, account_id = NULL WHERE id = $1;
