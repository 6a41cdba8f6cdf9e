-- params: requestIds
-- typed: kind IdentifierKind from ./asked.ts
UPDATE removal_identifier SET state = 'accepted'
WHERE request_id = ANY ($1) AND state = 'waiting'
RETURNING request_id AS "requestId", kind, value
