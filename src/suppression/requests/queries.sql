-- name: acceptWaiting :many
-- params: requestIds
-- typed: kind IdentifierKind from ../asked.ts
UPDATE removal_identifier SET state = 'accepted'
WHERE request_id = ANY ($1) AND state = 'waiting'
RETURNING request_id AS "requestId", kind, value;

-- name: countConfirmations :one
-- Confirmations to an address in the last day, and for a client and in all in the last hour.
-- params: addressDigest, clientDigest, hourAgo, dayAgo
SELECT count(*) FILTER (WHERE address_digest = $1) AS mailbox,
  count(*) FILTER (WHERE client_digest = $2 AND queued_at > $3) AS client,
  count(*) FILTER (WHERE queued_at > $3) AS all
FROM removal_confirmation WHERE queued_at > $4;

-- name: insertConfirmation :exec
-- params: addressDigest, clientDigest, now
INSERT INTO removal_confirmation (address_digest, client_digest, queued_at) VALUES ($1, $2, $3);

-- name: recordRequest :exec
-- Writes a request and its first decision to the log, and its identifiers and requester in clear text.
-- `kinds`, `values`, `states` and `areBlanked` are parallel lists.
-- params: requestId, now, clientDigest, requesterDigest?, identifierDigests, kinds, values, states, areBlanked
-- params: decision, reason, requesterEmail?, details?
-- plan: once
WITH request AS (
  INSERT INTO removal_request (id, requested_at, client_digest, requester_digest, identifier_digests)
  VALUES ($1, $2, $3, $4, $5)
),
identifier AS (
  INSERT INTO removal_identifier (request_id, kind, value, state, is_blanked)
  SELECT $1, * FROM unnest($6::text[], $7::text[], $8::text[], $9::boolean[])
),
requester AS (
  INSERT INTO removal_requester (request_id, email, details)
  SELECT $1, $12, $13 WHERE num_nonnulls($12::text, $13::text) > 0
)
INSERT INTO removal_decision (request_id, decision, decided_at, decided_by, reason)
VALUES ($1, $10, $2, 'rule', $11);

-- name: rejectWaiting :exec
-- Deletes the identifiers that are rejected, but for contacts that stay blanked.
-- params: requestIds
WITH deleted AS (
  DELETE FROM removal_identifier WHERE request_id = ANY ($1) AND state = 'waiting' AND NOT is_blanked
)
UPDATE removal_identifier SET state = 'rejected' WHERE request_id = ANY ($1) AND state = 'waiting' AND is_blanked;

-- name: requestStates :many
-- Whether each request exists, is not undone, and waits for a decision.
-- params: requestIds
SELECT asked.id,
  EXISTS (SELECT FROM removal_request WHERE removal_request.id = asked.id) AS "isKnown",
  NOT EXISTS (SELECT FROM removal_decision WHERE request_id = asked.id AND decision = 'undone') AS "isOpen",
  EXISTS (SELECT FROM removal_identifier WHERE request_id = asked.id AND state = 'waiting') AS "isWaiting"
FROM unnest($1::bigint[]) AS asked (id);

-- name: writeDecisions :exec
-- params: requestIds, decision, now, reason
INSERT INTO removal_decision (request_id, decision, decided_at, decided_by, reason)
SELECT DISTINCT id, $2, $3::timestamptz, 'operator', $4 FROM unnest($1::bigint[]) AS asked (id);
