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
ORDER BY id
