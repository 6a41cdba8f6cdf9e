-- name: continueNumber :exec
-- Continues the list's number behind one that this database gave and may have forgotten. Notes those between as lost.
-- params: given
UPDATE suppression_state
SET number = $1 + 1, lost_numbers = lost_numbers + int8multirange(int8range(number + 1, $1 + 1))
WHERE number < $1;

-- name: countRemovedSince :one
-- params: since, feeds
SELECT count(*) AS count FROM suppressed_business WHERE suppressed_at > $1 AND feeds && $2::text[];

-- name: deleteIdentifiers :exec
-- params: requestIds
DELETE FROM removal_identifier WHERE request_id = ANY ($1);

-- name: deleteMatches :exec
-- params: requestIds
DELETE FROM removal_match WHERE request_id = ANY ($1);

-- name: hasState :one
SELECT to_regclass('public.suppression_state') IS NOT NULL AS "isThere";

-- name: identifiersInEffect :many
-- The identifiers in effect that a new registry can match differently: all but USDOT numbers.
-- typed: kind IdentifierKind from ./asked.ts
-- typed: state "in_force" | "accepted"
SELECT request_id AS "requestId", kind, value, state FROM removal_identifier
WHERE state IN ('in_force', 'accepted') AND kind <> 'usdot' ORDER BY request_id, kind;

-- name: listState :one
SELECT (SELECT count(*) FROM suppressed_business) AS businesses,
  (SELECT count(*) FROM blanked_contact) AS contacts,
  count(*) AS waiting, min(request.requested_at) AS since
FROM removal_request AS request
WHERE request.id IN (SELECT request_id FROM removal_identifier WHERE state = 'waiting');

-- name: lockList :exec
-- Locks the tables that findMatches reads, then the removal list: an import that clears the registry locks both in
-- this order.
LOCK TABLE census, authority, motus_carrier, motus_authhist, motus_revokesuspend, legacy_carrier, shared_contact,
  agent_contact IN ACCESS SHARE MODE;
SELECT FROM suppression_state FOR UPDATE;

-- name: newestNumber :one
SELECT number FROM suppression_state;

-- name: removedAmong :many
-- The businesses among these that are on the removal list, each with the list's number since then.
-- params: usdots
SELECT usdot, number FROM suppressed_business WHERE usdot = ANY ($1);

-- name: removedSince :many
-- How many businesses were removed from each feed since a time.
-- params: since
-- plan: once
SELECT feed, count(*) AS removed
FROM suppressed_business CROSS JOIN unnest(feeds) AS feed
WHERE suppressed_at > $1 GROUP BY feed;

-- name: waitForOperator :exec
-- Lets identifiers that became shared wait for an operator's decision, and blanks the contacts among them. The lists
-- are parallel.
-- params: requestIds, kinds, now
WITH waiting AS (
  UPDATE removal_identifier AS stored SET state = 'waiting', is_blanked = stored.kind <> 'docket'
  FROM unnest($1::bigint[], $2::text[]) AS shared (request_id, kind)
  WHERE stored.request_id = shared.request_id AND stored.kind = shared.kind
)
INSERT INTO removal_decision (request_id, decision, decided_at, decided_by, reason)
SELECT request_id, 'review', $3, 'rule',
  format('the %s is shared by more businesses than one request removes', string_agg(kind, ' and the '))
FROM unnest($1::bigint[], $2::text[]) AS shared (request_id, kind)
GROUP BY request_id
ON CONFLICT DO NOTHING;
