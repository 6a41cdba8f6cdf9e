-- name: listRequests :many
-- Removal requests with their state, newest first; only those in `state`, unless null.
-- params: state?
-- typed: state RequestState from ./requests.ts
-- typed: identifiers IdentifierShown[] from ./requests.ts
SELECT *
FROM (
  SELECT
    request.id AS request_id, request.requested_at,
    CASE
      WHEN decided.decision = 'undone' THEN 'undone'
      WHEN held.waiting > 0 THEN 'waiting'
      -- Of a rejected request only identifiers that are blanked are left.
      WHEN held.rejected = held.identifiers THEN 'rejected'
      ELSE 'suppressed'
    END AS state,
    coalesce(held.list, '[]') AS identifiers,
    (SELECT count(*) FROM removal_match WHERE removal_match.request_id = request.id) AS businesses,
    decided.decided_at, decided.decision, decided.reason,
    removal_requester.email AS requester_email, removal_requester.details
  FROM removal_request AS request
  CROSS JOIN LATERAL (
    SELECT decision, decided_at, reason FROM removal_decision
    WHERE removal_decision.request_id = request.id ORDER BY decided_at DESC, id DESC LIMIT 1
  ) AS decided
  CROSS JOIN LATERAL (
    SELECT
      count(*) AS identifiers,
      count(*) FILTER (WHERE state = 'waiting') AS waiting,
      count(*) FILTER (WHERE state = 'rejected') AS rejected,
      json_agg(
        json_build_object('kind', kind, 'value', value, 'state', state, 'is_blanked', is_blanked)
        ORDER BY array_position(ARRAY ['usdot', 'docket', 'phone', 'email'], kind)) AS list
    FROM removal_identifier WHERE removal_identifier.request_id = request.id
  ) AS held
  LEFT JOIN removal_requester ON removal_requester.request_id = request.id
) AS shown
WHERE state = coalesce($1, state)
ORDER BY requested_at DESC, request_id DESC;
