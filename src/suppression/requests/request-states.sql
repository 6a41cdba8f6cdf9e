-- Whether each request exists, is not undone, and waits for a decision.
-- params: requestIds
SELECT asked.id,
  EXISTS (SELECT FROM removal_request WHERE removal_request.id = asked.id) AS "isKnown",
  EXISTS (SELECT FROM removal_identifier WHERE request_id = asked.id) AS "isOpen",
  EXISTS (SELECT FROM removal_identifier WHERE request_id = asked.id AND state = 'waiting') AS "isWaiting"
FROM unnest($1::bigint[]) AS asked (id)
