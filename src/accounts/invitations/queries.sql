-- name: endInvitationTo :exec
-- Ends the link of an invitation that is about to be mailed again; its row stays.
-- params: accountId, email, now
UPDATE invitation SET expires_at = $3 WHERE account_id = $1 AND lower(email) = lower($2);

-- name: invitationsOf :many
-- params: accountId
-- typed: role Role from ../people/roles.ts
SELECT id, email, role, invited_by AS "invitedBy", sent_at AS "sentAt", expires_at AS "expiresAt"
FROM invitation WHERE account_id = $1 ORDER BY id;

-- name: invitedSince :many
-- The invitations that an account mailed since a time, the oldest first.
-- params: accountId, since
-- never null: email
SELECT at, split_part(subject, ': ', 1) AS email
FROM account_log WHERE account_id = $1 AND action = 'invited' AND at > $2 ORDER BY at, id;

-- name: planOf :one
-- params: accountId
SELECT plan_code AS "planCode" FROM account WHERE id = $1;

-- name: putInvitation :exec
-- Invites an address, or again with another link: the link before ends.
-- params: accountId, email, role, invitedBy, tokenHash, now, expiresAt
INSERT INTO invitation (account_id, email, role, invited_by, token_hash, sent_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (lower(email), account_id) DO UPDATE SET role = excluded.role, invited_by = excluded.invited_by,
  token_hash = excluded.token_hash, sent_at = excluded.sent_at, expires_at = excluded.expires_at;

-- name: takeInvitation :one?
-- Uses up an invitation that has not expired, and whose address of who invited is still that of an owner: a request that began
-- before the address was changed may have invited afterwards.
-- params: tokenHash, now
-- typed: role Role from ../people/roles.ts
DELETE FROM invitation WHERE token_hash = $1 AND expires_at > $2 AND EXISTS (
  SELECT FROM account_person AS owner
  WHERE owner.account_id = invitation.account_id AND owner.email = invited_by AND owner.role = 'owner')
RETURNING email, role;

-- name: withdraw :one?
-- params: accountId, id
DELETE FROM invitation WHERE account_id = $1 AND id = $2 RETURNING email;
