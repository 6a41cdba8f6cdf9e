-- name: restoreLog :many
-- Adds exported requests and their decisions to the log. Returns for each request whether it is new here, and whether the
-- export has a newer decision on it. The requests are JSON.
-- params: requests
-- never null: id, is_newer
WITH given AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS given (
    request_id bigint, requested_at timestamptz, client_digest text, requester_digest text, identifier_digests jsonb,
    decisions jsonb)
),
decided AS (
  SELECT given.request_id, item.index, decision.*
  FROM given
  CROSS JOIN LATERAL jsonb_array_elements(given.decisions) WITH ORDINALITY AS item (value, index)
  CROSS JOIN LATERAL jsonb_to_record(item.value) AS decision (
    decision text, decided_at timestamptz, decided_by text, reason text)
),
-- The state before this statement: it does not see what it adds itself.
known AS (
  SELECT request_id, max(decided_at) AS newest FROM removal_decision JOIN given USING (request_id) GROUP BY request_id
),
added_request AS (
  INSERT INTO removal_request (id, requested_at, client_digest, requester_digest, identifier_digests)
  SELECT request_id, requested_at, decode(client_digest, 'hex'), decode(requester_digest, 'hex'), identifier_digests
  FROM given
  ON CONFLICT DO NOTHING
),
added_decision AS (
  INSERT INTO removal_decision (request_id, decision, decided_at, decided_by, reason)
  SELECT request_id, decision, decided_at, decided_by, reason FROM decided ORDER BY request_id, index
  ON CONFLICT DO NOTHING
)
SELECT request_id AS id, known.newest IS NULL AS is_unknown,
  known.newest IS NULL OR (SELECT max(decided_at) FROM decided WHERE decided.request_id = given.request_id) > known.newest
    AS is_newer
FROM given LEFT JOIN known USING (request_id);
