-- name: blankedOf :many
-- The contacts that these requests blank.
-- params: requestIds
SELECT request_id AS "requestId", value FROM removal_identifier WHERE is_blanked AND request_id = ANY ($1);

-- name: countBusinesses :one
SELECT count(*) AS count FROM suppressed_business;

-- name: exportRequests :many
-- The next requests with a number above `after`, each as one line of JSON.
-- params: after, most
-- never null: line
SELECT id, row_to_json(exported)::text AS line
FROM (
  SELECT
    request.id, request.id AS request_id, request.requested_at,
    encode(request.client_digest, 'hex') AS client_digest,
    encode(request.requester_digest, 'hex') AS requester_digest,
    request.identifier_digests,
    coalesce(
      (SELECT json_agg(json_build_object('kind', kind, 'value', value, 'state', state, 'is_blanked', is_blanked) ORDER BY kind)
       FROM removal_identifier WHERE removal_identifier.request_id = request.id), '[]') AS identifiers,
    coalesce(
      (SELECT json_agg(json_build_object('usdot', usdot, 'matched_at', matched_at) ORDER BY usdot)
       FROM removal_match WHERE removal_match.request_id = request.id), '[]') AS businesses,
    coalesce(
      (SELECT json_agg(
         json_build_object('decision', decision, 'decided_at', decided_at, 'decided_by', decided_by, 'reason', reason)
         ORDER BY decided_at, removal_decision.id)
       FROM removal_decision WHERE removal_decision.request_id = request.id), '[]') AS decisions
  FROM removal_request AS request
  WHERE request.id > $1
  ORDER BY request.id
  LIMIT $2
) AS exported
ORDER BY id;

-- name: findUndone :many
-- params: requestIds
SELECT DISTINCT request_id AS id FROM removal_decision WHERE request_id = ANY ($1) AND decision = 'undone';

-- name: listRequesters :many
SELECT request_id, email, details FROM removal_requester;

-- name: restoreIdentifiers :exec
-- Writes the identifiers of exported requests, which are JSON, and deletes those that were rejected since.
-- params: requests
WITH held AS (
  SELECT given.request_id, held.*
  FROM jsonb_to_recordset($1::jsonb) AS given (request_id bigint, identifiers jsonb)
  CROSS JOIN LATERAL jsonb_to_recordset(given.identifiers) AS held (kind text, value text, state text, is_blanked boolean)
  -- Older programs kept them.
  WHERE held.state <> 'rejected' OR held.is_blanked
),
deleted AS (
  DELETE FROM removal_identifier AS stored
  USING jsonb_to_recordset($1::jsonb) AS given (request_id bigint)
  WHERE stored.request_id = given.request_id AND NOT stored.is_blanked
    AND NOT EXISTS (SELECT FROM held WHERE held.request_id = stored.request_id AND held.kind = stored.kind)
)
INSERT INTO removal_identifier AS stored (request_id, kind, value, state, is_blanked)
SELECT * FROM held
ON CONFLICT (request_id, kind) DO UPDATE SET
  value = excluded.value, state = excluded.state, is_blanked = stored.is_blanked OR excluded.is_blanked;

-- name: restoreRequesters :exec
-- Writes the requesters, which are JSON, of requests that there are.
-- params: requesters
INSERT INTO removal_requester (request_id, email, details)
SELECT given.*
FROM jsonb_to_recordset($1::jsonb) AS given (request_id bigint, email text, details text)
JOIN removal_request ON removal_request.id = given.request_id
ON CONFLICT DO NOTHING;
