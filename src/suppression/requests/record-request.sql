-- Writes a request and its first decision to the log, and its identifiers and requester in clear text.
-- `kinds`, `values`, `states` and `areBlanked` are parallel lists.
-- params: requestId, now, clientDigest, requesterDigest?, identifierDigests, kinds, values, states, areBlanked
-- params: decision, reason, requesterEmail?, details?
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
VALUES ($1, $10, $2, 'rule', $11)
